/** The list of reviews with replies. */
import { Group, Rating, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { MessageSquareReply, SearchX, Star } from 'lucide-react';
import { useApi, useApiList } from '../../api/hooks.ts';
import { leastRatings } from '../../app/search.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { CursorList } from '../../components/cursor-list.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { count, rating } from '../../format/numbers.ts';
import { strings } from '../../strings/strings.ts';
import { ReviewCard } from './review-card.tsx';

const texts = strings.reviews;
const limit = 20;

export function ReviewsScreen() {
  const [{ open, minRating }, set] = useScreenSearch('/reviews');
  const reviews = useApiList('listReviews', {
    limit,
    ...(open && { replied: 'false' as const }),
    ...(minRating && { minRating }),
  });
  const isFiltered = open || minRating !== undefined;
  return (
    <Page title={strings.screens.reviews} description={texts.intro}>
      <Summary />
      <Group justify="space-between" align="flex-end">
        <SegmentedControl
          aria-label={strings.bookings.list}
          data={[
            { value: 'all', label: texts.filters.all },
            { value: 'open', label: texts.filters.open },
          ]}
          value={open ? 'open' : 'all'}
          onChange={(value) => set({ open: value === 'open' ? true : undefined })}
        />
        <Select
          w={200}
          aria-label={texts.minRating}
          placeholder={texts.anyRating}
          clearable
          data={leastRatings.map((stars) => ({
            value: String(stars),
            label: `${texts.minRating} ${texts.stars(stars)}`,
          }))}
          value={minRating === undefined ? null : String(minRating)}
          onChange={(value) => set({ minRating: leastRatings.find((stars) => String(stars) === value) })}
        />
      </Group>
      <CursorList
        list={reviews}
        isFiltered={isFiltered}
        // The review of an erased client takes no reply.
        isShown={({ authorName }) => !open || authorName !== ''}
        empty={<NoReviews open={open === true && minRating === undefined} isFiltered={isFiltered === true} />}
      >
        {(entries) => entries.map((review) => <ReviewCard key={review.id} review={review} />)}
      </CursorList>
    </Page>
  );
}

function NoReviews({ open, isFiltered }: { readonly open: boolean; readonly isFiltered: boolean }) {
  if (open) return <EmptyState icon={MessageSquareReply} title={texts.allReplied} hint={texts.allRepliedHint} />;
  if (isFiltered) return <EmptyState icon={SearchX} title={texts.noneFound} hint={strings.bookings.filteredHint} />;
  return <EmptyState icon={Star} title={texts.emptyTitle} hint={texts.emptyHint} />;
}

/** The average of all reviews, without the filters. */
function Summary() {
  const { data } = useApi('listReviews', { limit: 1 });
  const { averageRating, count: reviews } = data?.summary ?? {};
  if (!reviews || !averageRating) return null;
  const average = rating(averageRating);
  return (
    <Group gap="sm" role="group" aria-label={texts.average(average)}>
      <Text fz={32} fw={650} lh={1} aria-hidden>
        {average}
      </Text>
      <Stack gap={2}>
        <Rating value={averageRating} fractions={10} readOnly aria-hidden />
        <DimmedText>{texts.count(count(reviews))}</DimmedText>
      </Stack>
    </Group>
  );
}
