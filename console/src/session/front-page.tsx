/** The page shown while no owner is signed in. */
import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../components/logo.tsx';
import { strings } from '../strings/strings.ts';

export function FrontPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper w="100%" maw={420} p="xl" shadow="sm">
        <Stack gap="lg">
          <Stack gap="xs">
            <Logo size={40} />
            <Text c="dimmed" size="sm" fw={600}>
              {strings.app.name}
            </Text>
            <Title order={1}>{title}</Title>
          </Stack>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
