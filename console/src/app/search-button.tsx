/** Opens the search over everything, also with Ctrl+K or ⌘K. */
import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { strings } from '../strings/strings.ts';

const SearchDialog = lazy(() =>
  import('../screens/search/search-dialog.tsx').then((module) => ({ default: module.SearchDialog })),
);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function SearchButton() {
  const [opened, setOpened] = useState(false);
  // The shortcut also works in fields, which have no other use for it.
  useHotkeys([['mod+K', () => setOpened(true)]], []);
  return (
    <>
      <Button
        variant="default"
        fullWidth
        justify="space-between"
        px="sm"
        c="dimmed"
        fw={500}
        leftSection={<Search size={16} />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm">
            {isApple ? '⌘K' : 'Ctrl K'}
          </Kbd>
        }
        styles={{ label: { flex: 1 } }}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpened(true)}
      >
        {strings.app.search}
      </Button>
      {opened && (
        <Suspense>
          <SearchDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
