/** The page's style sheet: one column on a phone, two on a desk, in the colours that the system asks for. */
export const STYLE = String.raw`
:root {
  color-scheme: light dark;
  --ground: #f5f6f8; --card: #ffffff; --text: #16202c; --muted: #52606e; --line: #d3d9e0; --field: #7a8794;
  --accent: #1550c0; --on-accent: #ffffff; --code: #eef1f5;
  --good: #0a5f34; --good-ground: #e1f4e9; --wait: #744600; --wait-ground: #fdf0d3; --bad: #9c1527; --bad-ground: #fde6e9;
  --other: #3f4b58; --other-ground: #e8ecf0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f141a; --card: #171e26; --text: #e6ebf1; --muted: #a3afbc; --line: #2d3845; --field: #76859a;
    --accent: #8ab4ff; --on-accent: #0b1726; --code: #10161d;
    --good: #83e3ab; --good-ground: #0f3020; --wait: #ffd27a; --wait-ground: #35280b; --bad: #ffa0ab; --bad-ground: #3d151b;
    --other: #c3ccd6; --other-ground: #27313c;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; padding-bottom: 5rem; }
h1, h2, h3, p, ul, dl, pre { margin: 0; padding: 0; }
h1 { font-size: 1.125rem; }
h2 { font-size: 1rem; }
a { color: var(--accent); }
ul { list-style: none; }
code, pre, time, .id { font: 0.8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--card); padding: 0.5rem 1rem; z-index: 3; }
.skip:focus { top: 0.5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

button, input, select { font: inherit; color: inherit; min-height: 2.25rem; border: 1px solid var(--field); border-radius: 6px; background: var(--card); padding: 0.25rem 0.75rem; max-width: 100%; }
input, select { width: 100%; padding: 0.25rem 0.5rem; }
input[type=checkbox] { width: 1.25rem; min-height: 1.25rem; margin: 0; accent-color: var(--accent); }
button { cursor: pointer; font-weight: 600; }
button:hover { border-color: var(--accent); color: var(--accent); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.main:hover { filter: brightness(1.1); color: var(--on-accent); }
button.danger { color: var(--bad); border-color: var(--bad); }
button[aria-busy=true] { opacity: 0.6; cursor: progress; }
@media (pointer: coarse) { button, input, select, summary, nav a { min-height: 2.75rem; } }
label { display: block; font-size: 0.8125rem; color: var(--muted); }
label > input, label > select { color: var(--text); font-size: 0.9375rem; }
label.check { display: flex; align-items: center; gap: 0.5rem; color: var(--text); font-size: 0.9375rem; min-height: 2.25rem; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; column-gap: 1.25rem; }
legend { padding: 0; font-size: 0.8125rem; color: var(--muted); }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; }
form > label { flex: 1 1 8rem; min-width: 0; }
form > label.whole { flex-basis: 100%; }

header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; justify-content: space-between; padding: 0.75rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
header p { color: var(--muted); }
header time { white-space: nowrap; color: var(--text); font-size: 0.875rem; }
.lost { background: var(--bad-ground); color: var(--bad); padding: 0.5rem 1rem; font-weight: 600; }
nav { position: sticky; top: 0; z-index: 2; background: var(--card); border-bottom: 1px solid var(--line); }
nav ul { display: flex; gap: 0.25rem; overflow-x: auto; padding: 0.375rem 0.75rem; scrollbar-width: thin; }
nav a { display: flex; align-items: center; gap: 0.375rem; white-space: nowrap; padding: 0.25rem 0.625rem; min-height: 2.25rem; border-radius: 6px; color: var(--text); text-decoration: none; }
nav a:hover { background: var(--other-ground); }
nav a[aria-current] { background: var(--accent); color: var(--on-accent); font-weight: 600; }
nav a .count { font-size: 0.8125rem; color: var(--muted); }
nav a[aria-current] .count { color: inherit; }
nav a .urgent { background: var(--wait-ground); color: var(--wait); border-radius: 1rem; padding: 0 0.5rem; font-weight: 700; }

.room { display: grid; gap: 1rem; padding: 1rem; max-width: 90rem; margin: 0 auto; }
main { display: grid; gap: 1rem; min-width: 0; align-content: start; }
main:focus { outline: none; }
.hand { display: grid; gap: 0.5rem; align-content: start; min-width: 0; }
.card, .hand > details { background: var(--card); border: 1px solid var(--line); border-radius: 8px; min-width: 0; }
.hand summary { padding: 0.375rem 1rem; min-height: 2.25rem; font-weight: 600; cursor: pointer; }
.hand form > label { flex-basis: 6rem; }
.hand form > label.whole { flex-basis: 100%; }
.hand .inside { padding: 0 0.875rem 0.75rem; display: grid; gap: 0.5rem; }
.hand .inside > p { color: var(--muted); font-size: 0.875rem; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
#clock .buttons { gap: 0.375rem; }
#clock .buttons button { padding: 0.25rem 0.5rem; }
@media (max-width: 40rem) {
  .rows summary { grid-template-columns: minmax(0, 1fr) auto; }
  .rows .badge { justify-self: start; }
  .rows .badge:not([hidden]) + .title { grid-row: 2; grid-column: 1 / -1; }
  .rows .badge[hidden] + .title { grid-column: 1; }
  .rows .toggle { grid-column: 2; grid-row: 1; }
  .hand { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .hand > details[open] { grid-column: 1 / -1; }
  .hand summary { padding: 0.5rem 0.75rem; }
}
@media (min-width: 62rem) {
  .room { grid-template-columns: minmax(0, 1fr) 19rem; align-items: start; }
  .hand { order: 2; position: sticky; top: 4rem; max-height: calc(100vh - 5rem); overflow-y: auto; padding: 3px; }
}
@media (min-width: 76rem) { main.overview { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); align-items: start; } .wide { grid-column: 1 / -1; } }

.card > .head { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; justify-content: space-between; padding: 0.625rem 1rem; }
.card .head p { color: var(--muted); font-size: 0.875rem; }
.card h2:focus { outline: none; }
.card h2:focus-visible { outline: 3px solid var(--accent); }
.more, .empty { padding: 0.25rem 1rem 1rem; color: var(--muted); }
.empty { display: grid; gap: 0.5rem; }
.rows > li { border-top: 1px solid var(--line); padding: 0.5rem 1rem; display: grid; gap: 0.375rem 0.75rem; min-width: 0; }
.rows > li.beside { grid-template-columns: minmax(0, 1fr) auto; align-items: start; column-gap: 0.5rem; }
.rows > li.beside button { padding: 0.25rem 0.5rem; }
.rows summary { cursor: pointer; display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 0.5rem; align-items: baseline; list-style: none; padding: 0.125rem 0; }
.rows summary::-webkit-details-marker { display: none; }
.rows .title { grid-column: 2; font-weight: 600; overflow-wrap: anywhere; }
.rows .badge[hidden] + .title { grid-column: 1 / 3; }
.rows .facts { grid-column: 1 / -1; color: var(--muted); font-size: 0.875rem; overflow-wrap: anywhere; }
.rows .toggle { grid-column: 3; color: var(--accent); font-size: 0.8125rem; white-space: nowrap; }
.rows .toggle::after { content: " \25B8"; }
.rows details[open] > summary .toggle::after { content: " \25BE"; }
.rows pre { margin-top: 0.375rem; }
.rows .act { display: flex; flex-wrap: wrap; gap: 0.375rem 1rem; align-items: end; }
.act > form:first-child { flex: 0 1 18rem; }
.act > details[open] { flex-basis: 100%; }
.act > details > form, .act > details > label { max-width: 34rem; margin-bottom: 0.375rem; }
.rows .act:empty { display: none; }
.act > details > summary { display: inline-flex; align-items: center; min-height: 2.25rem; color: var(--accent); }
.badge { display: inline-block; font-size: 0.75rem; font-weight: 700; border-radius: 4px; padding: 0.0625rem 0.4375rem; background: var(--other-ground); color: var(--other); overflow-wrap: anywhere; }
.badge.good { background: var(--good-ground); color: var(--good); }
.badge.wait { background: var(--wait-ground); color: var(--wait); }
.badge.bad { background: var(--bad-ground); color: var(--bad); }

.said { position: fixed; inset: auto 0 0 0; z-index: 4; display: grid; justify-items: center; padding: 0.75rem; pointer-events: none; }
.said > div { pointer-events: auto; display: flex; gap: 0.75rem; align-items: center; max-width: 44rem; background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--good); border-radius: 8px; padding: 0.5rem 0.75rem; box-shadow: 0 4px 18px rgb(0 0 0 / 0.25); overflow-wrap: anywhere; }
.said > div.bad { border-left-color: var(--bad); }
.said p { min-width: 0; }
dialog { background: var(--card); color: var(--text); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem; max-width: min(26rem, calc(100vw - 2rem)); }
dialog::backdrop { background: rgb(0 0 0 / 0.5); }
dialog h2 { margin-bottom: 0.5rem; }
dialog .buttons { margin-top: 1rem; justify-content: end; }
footer { padding: 0 1rem; max-width: 90rem; margin: 0 auto; color: var(--muted); font-size: 0.875rem; overflow-wrap: anywhere; }
@media (prefers-reduced-motion: no-preference) { .fresh { animation: fresh 1.6s ease-out; } }
@keyframes fresh { from { background: var(--wait-ground); } }
`;
