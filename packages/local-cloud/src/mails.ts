/**
 * Amazon SES: emails are kept and shown, not sent. An email to an address of the mailbox simulator causes the same
 * events as in AWS, through the event destinations of the configuration set.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { AwsError } from './aws-error.ts';
import type { Body } from './aws-permissions.ts';
import type { HttpApis } from './http-api.ts';
import { decodedPath, type GatewayAnswer } from './http-event.ts';
import { flag, ignored, type Kind } from './kind.ts';
import { type KeptMail, mailList } from './mail-page.ts';
import type { Model } from './model.ts';
import { pageAnswer } from './pages.ts';

const configurationSet = {
  type: 'AWS::SES::ConfigurationSet',
  nameProperty: 'Name',
  properties: z.strictObject({
    Name: z.optional(z.string()),
    DeliveryOptions: ignored,
    ReputationOptions: ignored,
    SuppressionOptions: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

const eventDestination = {
  type: 'AWS::SES::ConfigurationSetEventDestination',
  properties: z.strictObject({
    ConfigurationSetName: z.string(),
    EventDestination: z.strictObject({
      Enabled: z.optional(flag),
      EventBridgeDestination: z.strictObject({ EventBusArn: z.string() }),
      MatchingEventTypes: z.array(z.string()),
      Name: ignored,
    }),
  }),
} satisfies Kind;

export const mailKinds: readonly Kind[] = [configurationSet, eventDestination];

export interface Mails {
  /** The emails, newest last. */
  readonly mails: readonly KeptMail[];
  /** Executes `SendEmail`. */
  send(body: Body): Promise<Record<string, unknown>>;
  /** Answers requests for the pages at `/_local/mails`. */
  answer(target: string): GatewayAnswer | undefined;
}

const part = z.object({ Data: z.string() });
const sendRequest = z.object({
  FromEmailAddress: z.string(),
  ConfigurationSetName: z.optional(z.string()),
  Destination: z.object({ ToAddresses: z.array(z.string()).check(z.minLength(1)) }),
  Content: z.object({
    Simple: z.object({ Subject: part, Body: z.object({ Text: z.optional(part), Html: z.optional(part) }) }),
  }),
});

/** The number of emails that are kept; the oldest are dropped. */
const keptMax = 500;
const mailsPath = '/_local/mails';

/** The events for the addresses of the mailbox simulator. */
const returns = {
  'bounce@simulator.amazonses.com': {
    matches: 'bounce',
    detailType: 'Email Bounced',
    fields: (emailAddress: string) => ({
      eventType: 'Bounce',
      bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ emailAddress }] },
    }),
  },
  'complaint@simulator.amazonses.com': {
    matches: 'complaint',
    detailType: 'Email Complaint Received',
    fields: (emailAddress: string) => ({
      eventType: 'Complaint',
      complaint: { complainedRecipients: [{ emailAddress }] },
    }),
  },
} as const;

/** `publish` sends an event of a service to the default bus. */
export function createMails(
  model: Model,
  publish: (source: string, detailType: string, detail: object) => Promise<unknown>,
): Mails {
  const sets = new Set(model.all(configurationSet).map(({ name }) => name));
  const destinations = model.all(eventDestination).map(({ properties }) => properties);
  const foreign = destinations.find(
    ({ EventDestination }) => !EventDestination.EventBridgeDestination.EventBusArn.endsWith(':event-bus/default'),
  );
  if (foreign) throw new Error('Amazon SES sends its events to the default event bus alone.');
  const mails: KeptMail[] = [];
  let count = 0;

  return {
    mails,
    async send(body) {
      const { data, error } = sendRequest.safeParse(body);
      if (!data) throw new AwsError('BadRequestException', error.message);
      const { FromEmailAddress: from, ConfigurationSetName: set, Destination, Content } = data;
      if (set !== undefined && !sets.has(set)) {
        throw new AwsError('NotFoundException', `Configuration set <${set}> does not exist.`, 404);
      }
      const { Subject, Body: parts } = Content.Simple;
      const MessageId = randomUUID();
      for (const to of Destination.ToAddresses) {
        mails.push({
          number: ++count,
          sentAt: new Date().toISOString(),
          from,
          to,
          subject: Subject.Data,
          text: parts.Text?.Data ?? '',
          html: parts.Html?.Data ?? '',
        });
        const back = returns[to.toLowerCase() as keyof typeof returns];
        const isWanted = destinations.some(
          ({ ConfigurationSetName, EventDestination: { Enabled = true, MatchingEventTypes } }) =>
            Enabled && ConfigurationSetName === set && MatchingEventTypes.includes(back?.matches),
        );
        if (!back || !isWanted) continue;
        const mail = {
          messageId: MessageId,
          source: from,
          destination: [to],
          tags: { 'ses:configuration-set': [set] },
        };
        await publish('aws.ses', back.detailType, { ...back.fields(to), mail });
      }
      mails.splice(0, mails.length - keptMax);
      return { MessageId };
    },
    answer(target) {
      const path = decodedPath(target) ?? '';
      if (path !== mailsPath && !path.startsWith(`${mailsPath}/`)) return undefined;
      if (path === mailsPath) return pageAnswer(200, mailList(mails, mailsPath));
      const [, number, ending] = /^\/(\d+)\.(html|txt)$/.exec(path.slice(mailsPath.length)) ?? [];
      const mail = mails.find((one) => String(one.number) === number);
      if (!mail) return pageAnswer(404, 'There is no such email.', 'text/plain');
      return ending === 'txt' ? pageAnswer(200, mail.text, 'text/plain') : pageAnswer(200, mail.html);
    },
  };
}

/** Returns the APIs with the emails on the same port. */
export function withMails(mails: Mails, apis: HttpApis): HttpApis {
  return {
    answer: async (request, headers) =>
      (request.method === 'GET' ? mails.answer(request.target) : undefined) ?? apis.answer(request, headers),
  };
}
