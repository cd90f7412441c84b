/** One of a few ways, each a card with its name and what it is about. */
import { Group, Radio, type RadioGroupProps, Stack, Text } from '@mantine/core';

interface ChoiceCardsProps<Value extends string> extends Omit<RadioGroupProps, 'children'> {
  readonly values: readonly Value[];
  readonly words: Readonly<Record<Value, { readonly name: string; readonly about: string }>>;
}

/** The rest are the properties of a form's input. */
export function ChoiceCards<Value extends string>({ values, words, ...input }: ChoiceCardsProps<Value>) {
  return (
    <Radio.Group {...input}>
      <Stack gap="xs" mt="xs">
        {values.map((value) => (
          <Radio.Card key={value} value={value} p="sm" radius="md" aria-label={words[value].name}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div>
                <Text fw={600}>{words[value].name}</Text>
                <Text size="sm" c="dimmed">
                  {words[value].about}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}
