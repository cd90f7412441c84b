/** The page of whoever is not in: the name, and one thing to do. */
import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Mark } from '../parts/mark.tsx';
import { strings } from '../strings/strings.ts';

export function FrontPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper w="100%" maw={420} p="xl" shadow="sm">
        <Stack gap="lg">
          <Stack gap="xs">
            <Mark size={40} />
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
