/**
 * The style. A page sets the custom properties of the element, and styles the parts `button`, `slot` and `field`. Of
 * the page's text styles only the direction is inherited (`all: initial`). A browser without `light-dark` is always
 * light.
 */
export const style = `
:host { all: initial; display: block; container-type: inline-size; color-scheme: light; font: 1rem/1.5 system-ui, sans-serif;
  --_accent: var(--booking-accent, #0b665f); --_on: var(--booking-on-accent, #fff);
  --_text: var(--booking-text, #14211f); --_quiet: var(--booking-quiet, #4c5c59);
  --_line: var(--booking-line, #b9c6c3); --_ground: var(--booking-background, #fff);
  --_round: var(--booking-radius, 8px); color: var(--_text); }
@supports (color: light-dark(#000, #fff)) { :host { color-scheme: light dark;
  --_accent: var(--booking-accent, light-dark(#0b665f, #5fdccb)); --_on: var(--booking-on-accent, light-dark(#fff, #08201d));
  --_text: var(--booking-text, light-dark(#14211f, #e6efed)); --_quiet: var(--booking-quiet, light-dark(#4c5c59, #a9bab7));
  --_line: var(--booking-line, light-dark(#b9c6c3, #44544f)); --_ground: var(--booking-background, light-dark(#fff, #111a18)); } }
:host([hidden]) { display: none; }
* { box-sizing: border-box; font: inherit; color: inherit; }
section { background: var(--_ground); padding: 16px; border-radius: var(--_round); overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; font-weight: 650; margin: 0 0 12px; outline: none; }
h3 { font-weight: 600; margin: 20px 0 8px; } p { margin: 0 0 12px; } small { color: var(--_quiet); display: block; } section > small { margin-bottom: 12px; } form > small { margin-bottom: 4px; }
ul, ol { list-style: none; margin: 0 0 12px; padding: 0; display: grid; gap: 8px; }
ul, ol, form { max-inline-size: 40rem; } ul.days, ul.times { max-inline-size: 58rem; }
ul.days { grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); } ul.times { grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr)); }
button, a.button { min-height: 44px; padding: 8px 14px; border: 1px solid var(--_line); border-radius: var(--_round); background: none; cursor: pointer; text-decoration: none; } a.button { display: inline-grid; align-content: center; }
li button { width: 100%; height: 100%; text-align: start; scroll-margin-bottom: 12rem; } li small { white-space: pre-line; } .times small { text-wrap: balance; } .times button, .days button { text-align: center; padding-inline: 2px; }
button:hover, a.button:hover { border-color: var(--_accent); } button:disabled { opacity: .45; cursor: default; }
button[aria-pressed=true] { border-color: var(--_accent); box-shadow: inset 0 0 0 2px var(--_accent); outline: 2px solid var(--_accent); outline-offset: -2px; }
button.main { background: var(--_accent); color: var(--_on); border-color: var(--_accent); font-weight: 600; }
h2:focus-visible { outline: none; } button + .row, form + button { margin-top: 8px; } [role=group] { margin-bottom: 20px; }
:is(button, a, input, textarea, select):focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
label { display: block; margin: 0 0 12px; } label > * { margin-top: 6px; }
input, textarea, select { display: block; width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--_line); border-radius: var(--_round); background: var(--_ground); }
.row { display: flex; flex-wrap: wrap; gap: 8px; } .bar p { margin-bottom: 8px; } .problem { border-inline-start: 4px solid #b3261e; border-inline-start-color: light-dark(#b3261e, #ff8a80); padding-inline-start: 12px; }
@media (min-height: 30rem) { @container (min-width: 16rem) { .bar { position: sticky; bottom: 0; padding-block: 8px; background: linear-gradient(var(--_ground) 0 0) Canvas; } } }
@media print { .row { display: none; } }
@media (prefers-reduced-motion: no-preference) { button { transition: border-color .15s; } }
`;
