/** A choice of a few options, each a card with a name and a description. */
import { Group, Radio, type RadioGroupProps, Stack, Text } from '@mantine/core';
import { DimmedText } from './dimmed-text.tsx';

interface ChoiceCardsProps<Value extends string> extends Omit<RadioGroupProps, 'children'> {
  readonly values: readonly Value[];
  readonly labels: Readonly<Record<Value, { readonly name: string; readonly description: string }>>;
}

/** Other props are those of a form input. */
export function ChoiceCards<Value extends string>({ values, labels, ...input }: ChoiceCardsProps<Value>) {
  return (
    <Radio.Group {...input}>
      <Stack gap="xs" mt="xs">
        {values.map((value) => (
          <Radio.Card key={value} value={value} p="sm" radius="md" aria-label={labels[value].name}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div>
                <Text fw={600}>{labels[value].name}</Text>
                <DimmedText>{labels[value].description}</DimmedText>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}
