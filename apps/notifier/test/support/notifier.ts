import type * as eventsContract from '@rubrica/contracts/services/schemas/events';
import type { SealBinding } from '@rubrica/contracts/shared/sealed-purposes';
import type { Database } from '@rubrica/database/connection';
import { createRowGuard, type RowGuard } from '@rubrica/database/guarded';
import { AppError } from '@rubrica/process/errors';
import type { Keyring } from '@rubrica/process/keyring';
import { uuidv7 } from '@rubrica/process/time';
import type { TestService } from '@rubrica/testkit';
import type { Peers } from '@rubrica/wiring';
import type { AttemptRecord } from '../../src/deliveries/delivery.store.ts';
import {
  createDeliveryQueue,
  type DeliveryQueue,
  type DeliveryQueueDeps,
} from '../../src/deliveries/delivery-queue.ts';
import { type PingCall, type PingResult, sendPing } from '../../src/destinations/send-ping.ts';
import { createDialer, type Dialer, type DialerOptions } from '../../src/dialer/dialer.ts';
import { guardedTables } from '../../src/store/guarded-tables.ts';
import { openNotifierDatabase, silentLogger } from './database.ts';
import type { KeyFolder } from './keyrings.ts';
import { deliveryStatement, sha256 } from './statements.ts';

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
  /** The alarm of a row that is not authentic. */
  onAltered?(id: string): void;
};

export type NotifierUnderTest = AsyncDisposable & {
  deliveries: DeliveryQueue;
  dialer: Dialer;
  ping(call: PingCall): Promise<PingResult>;
  database: Database;
  keyring: Keyring;
  rows: RowGuard;
  attempts: AttemptRecord[];
  /** What intake was asked to open again. */
  reopened: { readonly eventIds: readonly string[]; readonly operatorToken: string }[];
  /** Events for which intake gives nothing more. */
  over: Set<string>;
  /** Puts another answer on the bus in intake's name. */
  onTheBus: { forge?: Forge | undefined };
  /** Puts an event where intake would have it. */
  addEvent(overrides: Partial<eventsContract.WebhookEvent>): Promise<string>;
  /** What intake says of an event from now on; without a change it does not know it. */
  changeEvent(id: string, change: Partial<eventsContract.WebhookEvent> | undefined): void;
  delivery(id: string): Promise<Record<string, unknown>>;
};

/** What the notifier goes by of both answers of intake about an event. */
export interface GrantAnswer {
  readonly eventId: string;
  readonly partnerId: string;
  url: string;
  sealedSecrets: string[];
  destinationSha256?: string | undefined;
  statement?: string | undefined;
}
type Forge = (answer: GrantAnswer) => GrantAnswer | Promise<GrantAnswer>;

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
  const keyring = await keys.keyring('notifier');
  const database = openNotifierDatabase(service, keyring);
  const events = new Map<string, eventsContract.WebhookEvent>();
  const seal: Seal = (data, binding) => keyring.sealTo('notifier', data, binding);
  const over = new Set<string>();
  const attempts: AttemptRecord[] = [];
  const { dialer: dialed, onAltered, ...others } = overrides;
  const timeZone = 'America/Guayaquil';
  const clock = () => new Date();
  const onTheBus: NotifierUnderTest['onTheBus'] = {};
  const intakeKeyring = await keys.keyring('intake');
  const peers = playedPeers(events, {
    ...{ seal, over, onTheBus, database },
    // Services go by one clock, that of their databases.
    sign: (answer) => deliveryStatement(answer, { keyring: intakeKeyring, now: (others.clock ?? clock)() }),
  });
  const rows = createRowGuard({
    keys: keyring,
    tables: guardedTables,
    onFailed: ({ id }) => onAltered?.(id),
  });
  const dialer = createDialer({
    policy: { allowLoopback: true },
    budgetMs: 5_000,
    connectionsPerDestination: 64,
    ...dialed,
  });
  const deliveries = createDeliveryQueue({
    database,
    keyring,
    rows,
    ...peers,
    dialer,
    limits: { total: 64, perDestination: 8 },
    schedule: quickSchedule,
    pollMs: 25,
    deliveryStatements: 'required',
    timeZone,
    clock,
    logger: silentLogger,
    onAttempt: (record) => attempts.push(record),
    disableAfterHours: 120,
    alertsOperator: true,
    onDisabled: () => undefined,
    onNotGranted: () => undefined,
    ...others,
  });
  deliveries.start();
  return {
    deliveries,
    dialer,
    ping: (call) =>
      sendPing(call, {
        dialer,
        intake: peers.intake,
        keyring,
        clock: others.clock ?? clock,
        timeZone,
      }),
    database,
    keyring,
    rows,
    attempts,
    reopened: [],
    over,
    onTheBus,
    async addEvent(eventOverrides) {
      const event = await makeEvent(seal, eventOverrides);
      events.set(event.eventId, event);
      return event.eventId;
    },
    changeEvent(id, change) {
      const event = events.get(id);
      if (event === undefined || change === undefined) events.delete(id);
      else events.set(id, { ...event, ...change });
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

interface Playing extends Pick<NotifierUnderTest, 'over' | 'onTheBus' | 'database'> {
  readonly seal: Seal;
  sign(answer: GrantAnswer): string;
}

/** What was put among the deliveries without an event here, as its row has it. */
export async function deliveredByAnother(
  eventId: string,
  { seal, database }: { seal: Seal; database: Database },
): Promise<Pick<GrantAnswer, 'partnerId' | 'url' | 'sealedSecrets'>> {
  const [row] = await database.execute<{ partnerId: string; url: string }>(
    'select partner_id as "partnerId", url from delivery where id = $1',
    [eventId],
  );
  if (row === undefined) throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
  const binding = { purpose: 'webhook-secret', owner: row.partnerId } as const;
  return { ...row, sealedSecrets: [await seal(webhookSecret, binding)] };
}

function playedPeers(
  events: Map<string, eventsContract.WebhookEvent>,
  { seal, over, onTheBus, database, sign }: Playing,
): PlayedPeers {
  const answer = async (granted: GrantAnswer): Promise<GrantAnswer> => {
    const signed = { ...granted, statement: sign(granted) };
    return onTheBus.forge === undefined ? signed : onTheBus.forge(signed);
  };
  return {
    intake: {
      async 'events.get'({ eventId }) {
        const event = events.get(eventId);
        if (event === undefined) throw new AppError({ code: 'REQUEST_NOT_FOUND' });
        const { partnerId, url, sealedSecrets } = event;
        return { ...event, ...(await answer({ eventId, partnerId, url, sealedSecrets })) };
      },
      async 'events.signing'({ eventId }) {
        if (over.has(eventId)) throw new AppError({ code: 'REQUEST_STATE_NOT_ALLOWED' });
        const event = events.get(eventId) ?? (await deliveredByAnother(eventId, { seal, database }));
        const { partnerId, url, sealedSecrets } = event;
        const destinationSha256 = sha256(url);
        return answer({ eventId, partnerId, url, sealedSecrets, destinationSha256 });
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
