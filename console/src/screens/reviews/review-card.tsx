import { Blockquote, Box, Button, Group, Paper, Rating, Stack, Text, Textarea } from '@mantine/core';
import { Pencil, Reply } from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FormFrame } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { isolated } from '../../format/isolation.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';

const texts = strings.reviews;

type Review = Answer<'listReviews'>['data'][number];

export function ReviewCard({ review }: { readonly review: Review }) {
  const { date } = useTimes();
  // Undefined until the form has been open once.
  const [isReplying, setReplying] = useState<boolean>();
  const { rating, text, authorName, createdAt, reply } = review;
  const author = authorName || strings.clients.erased;
  return (
    <Paper component="article" aria-label={author}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div style={{ flex: '1 1 7rem', overflowWrap: 'anywhere' }}>
            <Text fw={600}>{author}</Text>
            <Visit review={review} />
          </div>
          <Stack gap={2} align="flex-end" flex="none">
            <Box role="img" aria-label={texts.rating(rating)}>
              <Rating value={rating} readOnly aria-hidden />
            </Box>
            <DimmedText>{date(createdAt)}</DimmedText>
          </Stack>
        </Group>
        <Text dir="auto" c={text ? undefined : 'dimmed'} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {text || texts.noText}
        </Text>
        {reply !== null && !isReplying && (
          <Blockquote p="sm" mt={0} radius="md" color="teal" fz="sm">
            <Text size="xs" fw={650} mb={4}>
              {texts.replied}
            </Text>
            <Text dir="auto" size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {reply}
            </Text>
          </Blockquote>
        )}
        {isReplying && <ReplyForm review={review} author={author} onClose={() => setReplying(false)} />}
        {/* The API refuses a reply to an erased client. */}
        {!isReplying && authorName && (
          <Button
            variant={reply === null ? 'light' : 'subtle'}
            size="compact-sm"
            w="fit-content"
            leftSection={reply === null ? <Reply size={15} /> : <Pencil size={14} />}
            aria-label={reply === null ? texts.replyTo(author) : texts.changeReplyTo(author)}
            autoFocus={isReplying === false}
            onClick={() => setReplying(true)}
          >
            {reply === null ? texts.reply : texts.changeReply}
          </Button>
        )}
      </Stack>
    </Paper>
  );
}

/** Links to the booking, by its service and staff member, unless these are deleted. */
function Visit({ review: { bookingId, serviceId, staffId } }: { readonly review: Review }) {
  const services = useWholeList('listServices');
  const staff = useWholeList('listStaff');
  const service = services.data?.data.find(({ id }) => id === serviceId);
  const member = staff.data?.data.find(({ id }) => id === staffId);
  if (!service || !member) return null;
  return (
    <AnchorLink size="sm" to="/bookings" search={{ booking: bookingId }}>
      {texts.visited(isolated(service.name), isolated(member.name))}
    </AnchorLink>
  );
}

interface ReplyFormProps {
  readonly review: Review;
  readonly author: string;
  onClose(): void;
}

function ReplyForm({ review: { id, reply }, author, onClose }: ReplyFormProps) {
  const api = useApiForm({
    operation: 'replyToReview',
    initialValues: { text: reply ?? '' },
    toInput: ({ text }) => ({ id, text: text.trim() }),
    notification: () => texts.replySaved,
    onDone: onClose,
  });
  return (
    <FormFrame api={api} verb={texts.reply} onClose={onClose}>
      <Textarea
        label={texts.replyTo(author)}
        description={texts.replyHint}
        autosize
        minRows={2}
        maxLength={2_000}
        autoFocus
        {...api.form.getInputProps('text')}
      />
    </FormFrame>
  );
}
