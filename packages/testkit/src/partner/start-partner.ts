import { type LinkedPartnerBody, makeLinkedPartnerRequest } from '../builders/linked-partner-request.ts';
import { type Delivery, type Receiver, startReceiver } from './receiver.ts';
import {
  createRestClient,
  type PartnerCredentials,
  type RestAnswer,
  type RestClient,
} from './rest-client.ts';

export interface TestPartner extends AsyncDisposable {
  readonly rest: RestClient;
  readonly receiver: Receiver;
  /** Registers a linked-partner request whose events go to this partner's receiver. */
  register(
    overrides?: Parameters<typeof makeLinkedPartnerRequest>[0],
  ): Promise<{ sent: LinkedPartnerBody; answer: RestAnswer }>;
  status(referenceTransaction: string): Promise<RestAnswer>;
  /** Lists the deliveries of one request, in the order of arrival. */
  deliveriesOf(referenceTransaction: string): Delivery[];
  /** Resolves with the first event about the request; if given, only of one type. */
  event(referenceTransaction: string, type?: string, deadlineMs?: number): Promise<Delivery>;
}

/** Starts a partner with its own credentials, REST client and webhook address. */
export async function startPartner(options: {
  baseUrl: string;
  partner: PartnerCredentials;
}): Promise<TestPartner> {
  const rest = createRestClient(options);
  const receiver = await startReceiver(options.partner.webhookSecret);
  const isAbout = (reference: string) => (delivery: Delivery) =>
    Object(delivery.body.data ?? delivery.body).referenceTransaction === reference;
  return {
    rest,
    receiver,
    async register(overrides) {
      const sent = makeLinkedPartnerRequest({ callbackUrl: receiver.url, ...overrides });
      return { sent, answer: await rest.post('/collector/linked-partner/request', sent) };
    },
    status: (referenceTransaction) =>
      rest.get('/middleware/signature-request/status', { referenceTransaction }),
    deliveriesOf: (reference) => receiver.deliveries.filter(isAbout(reference)),
    event: (reference, type, deadlineMs) =>
      receiver.next(
        (delivery) => isAbout(reference)(delivery) && (type === undefined || delivery.type === type),
        deadlineMs,
      ),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
