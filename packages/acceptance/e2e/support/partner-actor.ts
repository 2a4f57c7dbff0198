import { linkedPartnerResultSchema } from '@rubrica/contracts/rest/linked-partner';
import { type WebhookEventType, webhookBodies } from '@rubrica/contracts/rest/webhooks';
import { identifierNames } from '@rubrica/contracts/shared/identifiers';
import { linkedPartnerStatusSchema } from '@rubrica/contracts/shared/status';
import type { StackInfo } from '@rubrica/stack';
import { type Delivery, makeLinkedPartnerRequest, startPartner } from '@rubrica/testkit';
import type { z } from 'zod';
import { until } from './poll.ts';
import { type Answer, send } from './rest.ts';

export type StatusView = z.infer<typeof linkedPartnerStatusSchema>;
type Fields = Readonly<Record<string, unknown>>;

/** One partner with a token, its calls to the linked-partner family, and an address that receives its events. */
export interface PartnerActor extends AsyncDisposable {
  readonly callbackUrl: string;
  readonly token: string;
  register(overrides?: Fields): Promise<Answer>;
  /** Registers and expects acceptance. */
  accepted(overrides?: Fields): Promise<{ requestId: string; reference: string }>;
  retry(body: Fields): Promise<Answer>;
  cancel(body: Fields): Promise<Answer>;
  resend(body: Fields): Promise<Answer>;
  status(query: Readonly<Record<string, string>>): Promise<Answer>;
  view(reference: string): Promise<StatusView>;
  /** Waits until the request is in this status. */
  reaches(reference: string, status: StatusView['status'], deadlineMs?: number): Promise<StatusView>;
  /** Waits until `count` events of this type have arrived for the reference. */
  hears(
    reference: string,
    type: WebhookEventType,
    options?: { count?: number; deadlineMs?: number },
  ): Promise<Delivery>;
  /** Lists the events of one request, oldest first; the same event may have arrived more than once. */
  eventsOf(reference: string): Delivery[];
  allEvents(): readonly Delivery[];
  /** Describes every call that was not signed with the partner's secret or has unexpected fields. */
  faults(): string[];
}

export async function partnerActor(info: StackInfo, key: keyof StackInfo['partners']): Promise<PartnerActor> {
  const { baseUrl, partners } = info;
  const partner = await startPartner({ baseUrl, partner: partners[key] });
  const token = await partner.rest.token();
  const callbackUrl = partner.receiver.url;
  const post = (path: string) => (body: Fields) => send(baseUrl, { path, body, token });
  const status = (query: Readonly<Record<string, string>>) =>
    send(baseUrl, { path: '/middleware/signature-request/status', query, token });
  const register = (overrides?: Fields) =>
    post('/collector/linked-partner/request')(makeLinkedPartnerRequest({ callbackUrl, ...overrides }));
  const view = async (reference: string) =>
    linkedPartnerStatusSchema.parse((await status({ referenceTransaction: reference })).body);
  return {
    callbackUrl,
    token,
    register,
    async accepted(overrides) {
      const answer = await register(overrides);
      if (answer.status !== 200) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`);
      const { linkedPartnerRequestId, referenceTransaction } = linkedPartnerResultSchema.parse(answer.body);
      return { requestId: linkedPartnerRequestId, reference: referenceTransaction };
    },
    retry: post('/manager/linked-partner/retry-process-signature'),
    cancel: post('/manager/linked-partner/cancel-request'),
    resend: post('/manager/linked-partner/resend-validation-link'),
    status,
    view,
    async reaches(reference, wanted, deadlineMs = 60_000) {
      let last: StatusView | undefined;
      const ask = async () => {
        const answer = await status({ referenceTransaction: reference });
        // A dependency is briefly unavailable: the interface asks for a later attempt.
        if (answer.status === 503) return undefined;
        last = linkedPartnerStatusSchema.parse(answer.body);
        return last.status === wanted ? last : undefined;
      };
      return until(`${reference} ${wanted}`, ask, { deadlineMs, seen: () => last });
    },
    hears: (reference, type, { count = 1, deadlineMs = 60_000 } = {}) =>
      until(
        `event ${type} of ${reference}`,
        () => partner.deliveriesOf(reference).filter((event) => event.type === type)[count - 1],
        { deadlineMs, seen: () => partner.deliveriesOf(reference).map((event) => event.type) },
      ),
    eventsOf: partner.deliveriesOf,
    allEvents: () => partner.receiver.deliveries,
    faults: () => partner.receiver.deliveries.flatMap((event) => findFault(event) ?? []),
    [Symbol.asyncDispose]: () => partner[Symbol.asyncDispose](),
  };
}

function findFault({ type, body, signatureFault }: Delivery): string | undefined {
  if (signatureFault !== undefined) return `${type}: ${signatureFault}`;
  if (!Object.hasOwn(webhookBodies, type)) return `unknown event ${type}`;
  return webhookBodies[type as WebhookEventType].safeParse(renameIdentifier(body)).error?.message;
}

const identifiers: ReadonlySet<string> = new Set(Object.values(identifierNames));

/** Renames the identifier, which each family names differently; all else is the same in all of them. */
function renameIdentifier(body: object): object {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [identifiers.has(name) ? identifierNames.TV : name, value]),
  );
}
