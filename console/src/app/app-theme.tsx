/** The theme and colour scheme of all components. */
import { MantineProvider } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { consoleTheme } from './theme.ts';

export function AppTheme({ children }: { readonly children: ReactNode }) {
  const [theme] = useState(consoleTheme);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}
