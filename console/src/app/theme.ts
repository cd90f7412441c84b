/**
 * Colours, fonts and spacing of the console. Component defaults are set by name, so that the theme loads no component
 * that no screen uses yet.
 */
import { colorsTuple, createTheme, defaultOptionsFilter } from '@mantine/core';
import type { KeyboardEvent, MouseEvent } from 'react';
import { strings } from '../strings/strings.ts';

const teal = colorsTuple('#edfaf7 #d3f1eb #a9e3d9 #79d0c3 #48b8aa #279c90 #158277 #0f6e66 #0c5a54 #0a4540'.split(' '));
const gray = colorsTuple('#f7f9fa #eff3f4 #e2e8ea #d1dadd #b2bec3 #8a989e #596870 #46535a #2d373d #1a2226'.split(' '));
const dark = colorsTuple('#d8e0e3 #b9c4c9 #94a2a9 #6c7a82 #3d494f #2e383d #242d31 #1a2125 #12181b #0b0f11'.split(' '));

/** The header of a dialog is a `<header>`, but not that of the page. */
const dialogParts = { header: { role: 'presentation' } };
const dialog = () => ({
  padding: 'lg',
  // `useEscape` closes the dialog in front.
  closeOnEscape: false,
  attributes: dialogParts,
  closeButtonProps: { 'aria-label': strings.app.close },
  styles: { title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } },
});

const isOpenList = (field: HTMLInputElement) => field.getAttribute('aria-expanded') === 'true';

/** A list opens by a click, an arrow or typing. Opened by the focus alone, it would cover the error of the field. */
const closedList = { openOnFocus: false };

const listedMax = 100;

/** A browser takes seconds to draw a list of 500. The rest is found by typing, also a short name that is part of many. */
function firstOptions(input: Parameters<typeof defaultOptionsFilter>[0]) {
  const found = defaultOptionsFilter({ ...input, limit: Number.POSITIVE_INFINITY });
  if (found.length <= listedMax) return found;
  const typed = input.search.trim().toLowerCase();
  const isTyped = (option: (typeof found)[number]) => 'label' in option && option.label.toLowerCase() === typed;
  const listed = [...new Set([...found.filter(isTyped), ...found])].slice(0, listedMax);
  return [...listed, { value: 'more', label: strings.app.moreOptions(found.length - listedMax), disabled: true }];
}

/** A field whose list is searched by typing: Enter chooses the first match, and submits no form while the list is open. */
const searched = {
  ...closedList,
  filter: firstOptions,
  selectFirstOptionOnChange: true,
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter' && isOpenList(event.currentTarget)) event.preventDefault();
  },
};

/**
 * After a choice the text is empty and the list still open, with its first entry selected. Enter chooses an entry only
 * if text was typed or the last key was an arrow. Chosen entries leave the list, so the same keys cannot remove them.
 */
const chosenOnce = {
  hidePickedOptions: true,
  onKeyDownCapture: (event: KeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget;
    const { keyBefore = '' } = field.dataset;
    field.dataset.keyBefore = event.key;
    if (event.key !== 'Enter' || field.value !== '' || keyBefore.startsWith('Arrow') || !isOpenList(field)) return;
    event.preventDefault();
    event.stopPropagation();
  },
};

/** Typing after a click replaces the name of the chosen entry, as it does after Tab. */
const replaced = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
    if (!currentTarget.readOnly && currentTarget.selectionStart === currentTarget.selectionEnd) currentTarget.select();
  },
};

/** Creates the theme. It must be called after the texts are loaded. */
export const consoleTheme = () =>
  createTheme({
    colors: { teal, gray, dark },
    primaryColor: 'teal',
    primaryShade: { light: 7, dark: 7 },
    autoContrast: true,
    black: '#16201f',
    fontFamily:
      'ui-sans-serif, system-ui, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
    fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, Consolas, monospace',
    headings: {
      fontWeight: '650',
      sizes: {
        h1: { fontSize: '1.625rem', lineHeight: '1.25' },
        h2: { fontSize: '1.1875rem', lineHeight: '1.35' },
        h3: { fontSize: '1rem', lineHeight: '1.4' },
      },
    },
    defaultRadius: 'md',
    radius: { md: '0.5rem', lg: '0.75rem' },
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    components: {
      ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
      // A coloured title has too little contrast on a background of the same colour.
      Alert: { defaultProps: { variant: 'light', styles: { title: { color: 'var(--mantine-color-text)' } } } },
      Autocomplete: { defaultProps: closedList },
      Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600, radius: 'sm' } },
      Button: { defaultProps: { fw: 600 } },
      Drawer: { defaultProps: { position: 'right', ...dialog() } },
      Modal: { defaultProps: { centered: true, radius: 'lg', overlayProps: { blur: 2 }, ...dialog() } },
      MultiSelect: { defaultProps: { ...searched, ...chosenOnce } },
      NumberInput: { defaultProps: { allowDecimal: false, allowNegative: false } },
      Paper: { defaultProps: { withBorder: true, radius: 'lg' } },
      Select: { defaultProps: { ...searched, ...replaced } },
      Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
      Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: true } } },
    },
  });
