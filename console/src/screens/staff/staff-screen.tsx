/** The list of staff. */
import { Avatar, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useWholeList } from '../../api/hooks.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { ActiveBadge } from '../../components/active-badge.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { RowLink } from '../../components/link.tsx';
import { ListScreen } from '../../components/list-screen.tsx';
import type { Column } from '../../components/table-list.tsx';
import { rating } from '../../format/numbers.ts';
import { strings } from '../../strings/strings.ts';
import { StaffForm, type StaffMember } from './staff-form.tsx';

const texts = strings.staff;

const columns: readonly Column<StaffMember>[] = [
  {
    name: texts.columns.name,
    sortBy: ({ name }) => name,
    cell: ({ id, name, position }) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar color="teal" aria-hidden>
          {initialsOf(name)}
        </Avatar>
        <div>
          <RowLink to="/staff/$staffId" params={{ staffId: String(id) }}>
            {name}
          </RowLink>
          {position && <DimmedText>{position}</DimmedText>}
        </div>
      </Group>
    ),
  },
  {
    name: texts.columns.services,
    visibleFrom: 'sm',
    cell: ({ serviceIds: { length } }) =>
      length === 0 ? <Text c="dimmed">{texts.noServices}</Text> : texts.services(length),
  },
  {
    name: texts.columns.rating,
    visibleFrom: 'md',
    cell: (member) => ratingOf(member),
    sortBy: ({ rating }) => rating ?? 0,
  },
  { name: texts.columns.status, cell: ({ active }) => <ActiveBadge active={active} /> },
];

/** A flag, or a character with its accents, and for an emoji all that is joined to it. Firefox 124 has no `Intl.Segmenter`. */
const letter = /\p{RI}{2}|.[\p{M}\p{EMod}\u{E0020}-\u{E007F}]*(?:\u200D.[\p{M}\p{EMod}]*)*/gsu;

/** The first letters of two words, or the first two of a single one. Mantine would cut an emoji in two. */
function initialsOf(name: string): string {
  const lettersOf = (text: string): readonly string[] => text.match(letter) ?? [];
  const words = name.split(/\s+/);
  const letters = words.length > 1 ? words.flatMap((word) => lettersOf(word).slice(0, 1)) : lettersOf(name);
  return letters.slice(0, 2).join('').toUpperCase();
}

export function ratingOf(member: StaffMember): string {
  return member.rating === null ? texts.noRating : texts.rating(rating(member.rating), member.reviewsCount);
}

export function StaffScreen() {
  const [{ add }, set] = useScreenSearch('/staff');
  const navigate = useNavigate();
  const staff = useWholeList('listStaff');
  const close = () => set({ add: undefined });
  return (
    <ListScreen screen="staff" texts={texts} query={staff} columns={columns} add={() => set({ add: true })}>
      <FormDrawer opened={add === true} title={texts.createTitle} onClose={close}>
        <StaffForm
          onClose={close}
          onDone={({ id }) => void navigate({ to: '/staff/$staffId', params: { staffId: String(id) } })}
        />
      </FormDrawer>
    </ListScreen>
  );
}
