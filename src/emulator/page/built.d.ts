/** The script of the page. tools/emulator-page.ts makes it from page/, in builds and in tests. */
export const SCRIPT: string;

/** The style of the page. */
export const STYLE: string;
