/** The page at `/_emulator`. */
export function emulatorPage(): string {
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Payments emulator</title>
  <p>The payments emulator is running. Its whole state is at <a href="/_emulator/state">/_emulator/state</a>.</p>
</html>
`;
}

/** The policy of the page: no network but the emulator, no frame around it. */
export async function pagePolicy(): Promise<string> {
  return "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}
