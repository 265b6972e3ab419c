import { SCRIPT } from './script/index.ts';
import { STYLE } from './style.ts';

/** The ways through the page, in the order of its lists. */
const VIEWS = [
  ['overview', 'Overview'],
  ['approvals', 'Approvals'],
  ['transfers', 'Transfers'],
  ['onramps', 'Onramps'],
  ['accounts', 'Accounts'],
  ['events', 'Events'],
  ['requests', 'Requests'],
  ['users', 'Users'],
  ['externalWallets', 'External wallets'],
  ['faults', 'Faults'],
  ['metrics', 'Metrics'],
] as const;

function linkTo([name, title]: (typeof VIEWS)[number]): string {
  const count = name === 'overview' ? '' : ' <span class="count"></span>';
  const urgent = name === 'approvals' ? ' <span class="urgent" hidden></span>' : '';
  return `<li><a href="#${name}">${title}${name === 'approvals' ? urgent : count}</a></li>`;
}

/** The page at `/_emulator`: one document that needs nothing but the emulator's own routes, and no build. */
export function emulatorPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payments emulator</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" id="skip" href="#main">Skip to the records</a>
<header>
<h1>Payments emulator</h1>
<p>The clock <span id="clock-state"></span>: <time id="now"></time></p>
</header>
<p id="lost" class="lost" role="alert" hidden></p>
<nav aria-label="Records"><ul>${VIEWS.map(linkTo).join('')}</ul></nav>
<div class="room">
<aside class="hand" aria-label="Controls">
<details><summary>Clock</summary><div class="inside" id="clock"></div></details>
<details><summary>Create a user</summary><div class="inside" id="user"></div></details>
<details><summary>Inject a fault</summary><div class="inside" id="fault"></div></details>
<details><summary>Reset</summary><div class="inside"><p>Forgets every record, event and fault.</p><div class="buttons"><button type="button" id="reset" class="danger">Reset…</button></div></div></details>
</aside>
<main id="main" tabindex="-1"></main>
</div>
<noscript><p>This page shows the emulator live and needs JavaScript. Without it, see <a href="_emulator/state">the state as JSON</a>.</p></noscript>
<footer><p>Seed <code id="seed"></code></p></footer>
<div id="said" class="said" role="status" aria-live="polite"></div>
<dialog id="sure" aria-labelledby="sure-heading">
<h2 id="sure-heading">Reset the emulator?</h2>
<p>Every user, account, onramp, transfer, event and fault is forgotten. This cannot be undone.</p>
<div class="buttons" id="confirm"></div>
</dialog>
<script type="module">${SCRIPT}</script>
</body>
</html>
`;
}

let policy: Promise<string> | undefined;

/** The policy of the page: its own script and style by their hashes, no network but the emulator, no frame around it. */
export function pagePolicy(): Promise<string> {
  policy ??= makePolicy();
  return policy;
}

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
