/** Accessibility fixes for the elements of Scalar: what they lack for screen readers and keyboards. */
const amendments: Readonly<Record<string, (element: Element) => void>> = {
  // A text field with completions is not a list of options.
  '.code-input-lite__editor[role="combobox"]': (field) => {
    field.setAttribute('role', 'textbox');
    field.setAttribute('aria-label', field.getAttribute('aria-label')?.trim() || nameOf(field));
  },
  '.cm-content:not([aria-label])': (field) => field.setAttribute('aria-label', 'Body'),
  'button.scalar-code-copy:not([aria-label])': (button) => button.setAttribute('aria-label', 'Copy'),
  // The name differs from the visible text, so that voice control could not find the button.
  '.show-more[aria-label]': (button) => button.removeAttribute('aria-label'),
  'button[role="none"]': (button) => button.removeAttribute('role'),
  'button[aria-controls]:not([aria-expanded])': (button) => button.removeAttribute('aria-controls'),
  'ul.endpoints:not([tabindex])': (list) => list.setAttribute('tabindex', '0'),
  // Landmarks must be unique.
  '.response-card[role="region"], .request-card[role="region"], .section-container[role="region"]': (card) =>
    card.setAttribute('role', 'group'),
  'section.contents[aria-labelledby]:not([role])': (section) => section.setAttribute('role', 'group'),
};

function nameOf(field: Element): string {
  const label = field.closest('label, [aria-label]')?.getAttribute('aria-label');
  return label ?? field.getAttribute('data-placeholder') ?? 'Value';
}

/** Runs at once and after each change that Scalar draws. */
export function amendScalar(): void {
  let isDue = false;
  const amend = () => {
    isDue = false;
    for (const [selector, change] of Object.entries(amendments)) {
      for (const element of document.querySelectorAll(selector)) change(element);
    }
  };
  const drawn = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(amend);
  });
  drawn.observe(document.body, { childList: true, subtree: true });
  amend();
}
