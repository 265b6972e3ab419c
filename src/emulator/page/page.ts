import { SCRIPT, STYLE } from './built.ts';
import { SIGN } from './sign.ts';

/** The page at `/_emulator`: one document that needs nothing but the emulator's own routes. */
export function emulatorPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payments emulator</title>
<link rel="icon" type="image/svg+xml" href="${SIGN}">
<style>${STYLE}</style>
</head>
<body>
<div id="app"></div>
<noscript><p>This page shows the emulator live and needs JavaScript. Without it, see <a href="_emulator/state">the state as JSON</a>.</p></noscript>
<script type="module">${SCRIPT}</script>
</body>
</html>
`;
}

let policy: Promise<string> | undefined;

/** The page, with the policy under which it may run. */
export async function pageResponse(): Promise<Response> {
  policy ??= makePolicy();
  return new Response(emulatorPage(), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': await policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** The policy of the page: its own script and style by their hashes, no network but the emulator, no frame around it. */
async function makePolicy(): Promise<string> {
  const [script, style] = await Promise.all([SCRIPT, STYLE].map(hashSource));
  return [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
