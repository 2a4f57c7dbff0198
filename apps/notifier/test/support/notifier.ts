import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import type { Database } from '@rubrica/database';
import { AppError, type Keyring, uuidv7 } from '@rubrica/process';
import type { TestService } from '@rubrica/testkit';
import type { Peers } from '@rubrica/wiring';
import type { AttemptRecord } from '../../src/deliveries/delivery.store.ts';
import {
  createDeliveryQueue,
  type DeliveryQueue,
  type DeliveryQueueDeps,
} from '../../src/deliveries/delivery-queue.ts';
import { callPing, type PingCall, type PingResult } from '../../src/destinations/call-destination.ts';
import { createDialer, type Dialer, type DialerOptions } from '../../src/dialer/dialer.ts';
import { digestDestination } from '../../src/signing/signing-secrets.ts';
import { openNotifierDatabase, silentLogger } from './database.ts';
import type { KeyFolder } from './keyrings.ts';

export const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
export const partnerId = '019aa1b2-0000-7000-8000-0000000000aa';
export const bundle = { file: Buffer.from('a PKCS#12').toString('base64'), password: 'clave larga 1' };

/** Delays short enough to wait for, in the shape of the real schedule. */
const quickSchedule = { delaysMs: [0, 50, 50, 50], jitter: 0.2, maxRetryAfterMs: 60_000 };

interface PlayedPeers {
  readonly intake: Pick<Peers<'notifier'>['intake'], 'events.get' | 'events.signing' | 'partners.signing'>;
  readonly generation: Pick<Peers<'notifier'>['generation'], 'bundles.release'>;
}

export type NotifierOverrides = Partial<Omit<DeliveryQueueDeps, 'dialer'>> & {
  dialer?: Pick<DialerOptions, 'policy' | 'budgetMs' | 'resolve'>;
};

export type NotifierUnderTest = AsyncDisposable & {
  deliveries: DeliveryQueue;
  dialer: Dialer;
  ping(call: PingCall): Promise<PingResult>;
  database: Database;
  keyring: Keyring;
  attempts: AttemptRecord[];
  /** What intake was asked to open again. */
  reopened: { readonly eventIds: readonly string[]; readonly operatorToken: string }[];
  /** Events for which intake gives nothing more. */
  over: Set<string>;
  /** Puts an event where intake would have it. */
  addEvent(overrides: Partial<eventsContract.WebhookEvent>): Promise<string>;
  delivery(id: string): Promise<Record<string, unknown>>;
};

/** The webhook half of the service in this process, with intake and generation played by the test. */
export async function startNotifier({
  service,
  keys,
  overrides = {},
}: {
  service: TestService;
  keys: KeyFolder;
  overrides?: NotifierOverrides;
}): Promise<NotifierUnderTest> {
  const database = openNotifierDatabase(service);
  const keyring = await keys.keyring('notifier');
  const events = new Map<string, eventsContract.WebhookEvent>();
  const seal: Seal = (data, binding) => keyring.sealTo('notifier', data, binding);
  const over = new Set<string>();
  const peers = playedPeers(events, { seal, over });
  const attempts: AttemptRecord[] = [];
  const { dialer: dialed, ...others } = overrides;
  const timeZone = 'America/Guayaquil';
  const clock = () => new Date();
  const dialer = createDialer({
    policy: { allowLoopback: true },
    budgetMs: 5_000,
    connectionsPerDestination: others.limits?.perDestination ?? 8,
    ...dialed,
  });
  const deliveries = createDeliveryQueue({
    database,
    keyring,
    ...peers,
    dialer,
    limits: { total: 64, perDestination: 8 },
    schedule: quickSchedule,
    pollMs: 25,
    timeZone,
    clock,
    logger: silentLogger,
    onAttempt: (record) => attempts.push(record),
    disableAfterHours: 120,
    alertsOperator: true,
    onDisabled: () => undefined,
    onAltered: () => undefined,
    ...others,
  });
  deliveries.start();
  return {
    deliveries,
    dialer,
    ping: (call) =>
      callPing(call, { dialer, intake: peers.intake, keyring, clock: others.clock ?? clock, timeZone }),
    database,
    keyring,
    attempts,
    reopened: [],
    over,
    async addEvent(eventOverrides) {
      const event = await makeEvent(seal, eventOverrides);
      events.set(event.eventId, event);
      return event.eventId;
    },
    async delivery(id) {
      const [row] = await database.execute('select * from delivery where id = $1', [id]);
      return row ?? {};
    },
    async [Symbol.asyncDispose]() {
      await deliveries.stop();
      await dialer.close();
      await database.close();
    },
  };
}

type Seal = (data: string, binding: SealBinding) => Promise<string>;

function playedPeers(
  events: Map<string, eventsContract.WebhookEvent>,
  { seal, over }: { seal: Seal; over: ReadonlySet<string> },
): PlayedPeers {
  return {
    intake: {
      async 'events.get'({ eventId }) {
        const event = events.get(eventId);
        if (event === undefined) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
        return event;
      },
      async 'events.signing'({ eventId }) {
        if (over.has(eventId)) throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
        const binding = { purpose: 'webhook-secret', owner: partnerId } as const;
        const sealedSecrets = events.get(eventId)?.sealedSecrets ?? [await seal(webhookSecret, binding)];
        // Of an event that another copy was asked to deliver nothing is known here.
        const url = events.get(eventId)?.url;
        return { sealedSecrets, ...(url === undefined ? {} : { destinationSha256: digestDestination(url) }) };
      },
      'partners.signing': async ({ partnerId: id }) => ({
        partnerId: id,
        envelope: false,
        sealedSecrets: [await seal(webhookSecret, { purpose: 'webhook-secret', owner: id })],
      }),
    },
    generation: {
      // The request's id is a grant here.
      async 'bundles.release'({ grant: requestId }) {
        const at = '2026-11-20T10:00:00.000Z';
        const sealed = await seal(JSON.stringify(bundle), { purpose: 'bundle', owner: requestId });
        return { requestId, serialNumber: '0A1B2C', notBefore: at, notAfter: at, sealed };
      },
    },
  };
}

export async function makeEvent(
  seal: Seal,
  overrides: Partial<eventsContract.WebhookEvent> = {},
): Promise<eventsContract.WebhookEvent> {
  const requestId = uuidv7();
  return {
    eventId: uuidv7(),
    requestId,
    grant: overrides.requestId ?? requestId,
    partnerId,
    type: 'certificate.issued',
    url: 'http://127.0.0.1:9/hook',
    identifierName: 'linkedPartnerRequestId',
    referenceTransaction: 'TX-1',
    message: null,
    code: null,
    envelope: false,
    omitPassword: false,
    occurredAt: new Date().toISOString(),
    certificate: null,
    renewalOf: null,
    ...overrides,
    sealedSecrets: overrides.sealedSecrets ?? [
      await seal(webhookSecret, { purpose: 'webhook-secret', owner: overrides.partnerId ?? partnerId }),
    ],
  };
}
