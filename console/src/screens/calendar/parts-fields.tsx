/** The booked services: one service with its places, or those of a visit, each with a staff member or anyone. */
import { ActionIcon, Button, Group, NumberInput, Select, Stack } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { choicesOf, isSearched, type Named } from '../../components/choices.ts';
import type { ApiForm } from '../../components/use-api-form.ts';
import { strings } from '../../strings/strings.ts';
import type { Parts } from '../bookings/free-starts.ts';

const texts = strings.calendar;
/** The limits of the API. */
const [servicesMax, placesMax] = [5, 20];

export interface Bookable extends Named {
  readonly staffIds: readonly number[];
  readonly capacity: number;
}

export interface PartValues {
  /** Empty until a service is chosen. */
  readonly serviceId: string;
  /** Null means any staff member. */
  readonly staffId: string | null;
}

export const partsOf = (values: readonly PartValues[]): Parts =>
  values
    .filter(({ serviceId }) => serviceId !== '')
    .map(({ serviceId, staffId }) => ({ serviceId: Number(serviceId), ...(staffId && { staffId: Number(staffId) }) }));

interface PartsValues {
  readonly parts: PartValues[];
  readonly places: number | string;
}

interface PartsFieldsProps<Values extends PartsValues> {
  readonly form: ApiForm<Values>['form'];
  readonly staff: readonly Named[];
  readonly services: readonly Bookable[];
  readonly isClass: boolean;
}

export function PartsFields<Values extends PartsValues>({ form, staff, services, isClass }: PartsFieldsProps<Values>) {
  const { parts } = form.values;
  const set = (next: PartsValues['parts']) => form.setValues({ parts: next } as Partial<Values>);
  const isVisit = parts.length > 1;
  const named = (label: string, at: number) => (isVisit ? `${at + 1}. ${label}` : label);
  return (
    <Stack gap="sm">
      {parts.map((part, at) => {
        const offeredBy = services.find(({ id }) => String(id) === part.serviceId)?.staffIds;
        const does = ({ staffIds }: Bookable) => part.staffId === null || staffIds.includes(Number(part.staffId));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: A visit may have the same service twice.
          <Group key={at} align="flex-end" wrap="nowrap" gap="xs">
            <Group grow align="flex-start" flex={1}>
              <Select
                label={named(texts.service, at)}
                // A class cannot be part of a visit.
                data={choicesOf(services.filter((one) => does(one) && !(isVisit && one.capacity > 1)))}
                allowDeselect={false}
                required
                searchable
                data-autofocus={at === 0 || undefined}
                {...form.getInputProps(`parts.${at}.serviceId`)}
              />
              <Select
                label={named(texts.member, at)}
                placeholder={texts.anyone}
                data={choicesOf(staff.filter(({ id }) => offeredBy?.includes(id) || String(id) === part.staffId))}
                clearable
                searchable={isSearched(staff)}
                {...form.getInputProps(`parts.${at}.staffId`)}
              />
            </Group>
            {isVisit && (
              <ActionIcon
                size={36}
                aria-label={texts.removePart(at + 1)}
                onClick={() => set(parts.filter((_, other) => other !== at))}
              >
                <Trash2 size={16} />
              </ActionIcon>
            )}
          </Group>
        );
      })}
      {isClass ? (
        <NumberInput label={texts.places} w={160} min={1} max={placesMax} {...form.getInputProps('places')} />
      ) : (
        parts.length < servicesMax && (
          <Button
            variant="subtle"
            size="compact-sm"
            w="fit-content"
            leftSection={<Plus size={16} />}
            onClick={() => set([...parts, { serviceId: '', staffId: null }])}
          >
            {texts.addPart}
          </Button>
        )
      )}
    </Stack>
  );
}
