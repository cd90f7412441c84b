/** Secondary text, such as a hint or the second line of a table cell. */
import { Text } from '@mantine/core';

export const DimmedText = Text.withProps({ size: 'sm', c: 'dimmed' });
