import { randomUUID } from 'node:crypto';
import { type Bus, connectBus, createBusClient, createPublisher } from '@rubrica/bus';
import { type Message, type MessageSubject, streams } from '@rubrica/contracts/messages/messages';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { Clock } from '@rubrica/process/time';
import { makeCedula, makeReference, startTestService, type TestGround, testGround } from '@rubrica/testkit';
import { type FakeCaller, fakeClient, signFakeToken } from '@rubrica/testkit/fakes';
import { type OperatorRowsRouter, type ServiceRowsRouter, signMessage } from '@rubrica/wiring';
import { readConfig } from '../../src/config.ts';
import { buildService } from '../../src/service.ts';
import { freshEvidence, freshRequestId, prepareEvidence } from './fresh-evidence.ts';
import { fakeCertificates } from './play-certificates.ts';

const SECRET = 'c'.repeat(43);

export const seed = {
  partners: [
    { id: '01900000-0000-7000-8000-000000000001', key: 'sandbox', passwordConfiguration: 'PARTNER' },
    { id: '01900000-0000-7000-8000-000000000002', key: 'otp', passwordConfiguration: 'ONE_TIME_PASSWORD' },
    { id: '01900000-0000-7000-8000-000000000003', key: 'other', passwordConfiguration: 'PARTNER' },
  ].map((one) => ({
    ...one,
    name: `Partner ${one.key}`,
    email: `${one.key}@example.com`,
    clientId: `client-${one.key}`,
    clientSecret: SECRET,
    webhookSecret: `whsec_${Buffer.alloc(32, one.key).toString('base64')}`,
    reviewPolicy: 'automatic',
  })),
  operators: [
    {
      id: '01900000-0000-7000-8000-0000000000a1',
      email: 'admin@example.com',
      password: 'correct horse battery',
      role: 'admin',
    },
    {
      id: '01900000-0000-7000-8000-0000000000a2',
      email: 'operator2@example.com',
      password: 'correct horse battery',
      role: 'admin',
    },
  ],
};

export const partnerIds = {
  sandbox: seed.partners[0]?.id,
  otp: seed.partners[1]?.id,
  other: seed.partners[2]?.id,
} as Record<'sandbox' | 'otp' | 'other', string>;

export function asPartner(key: keyof typeof partnerIds): Caller {
  return {
    kind: 'partner',
    partnerId: partnerIds[key],
    clientId: `client-${key}`,
    scopes: ['collector:write', 'manager:write', 'status:read'],
  };
}

export function asOperator(role: 'viewer' | 'reviewer' | 'admin'): Caller {
  return {
    kind: 'operator',
    operatorId: '01900000-0000-7000-8000-0000000000a1',
    email: `${role}@example.com`,
    role,
  };
}

export const secondAdministrator = {
  kind: 'operator',
  operatorId: '01900000-0000-7000-8000-0000000000a2',
  email: 'operator2@example.com',
  role: 'admin',
} as const satisfies Caller;

type Operators = ReturnType<RunningIntake['operators']>;

/** A change that takes two administrators: proposed by the first, approved by the second. @returns what it answered */
export async function byTwo<Result>(
  intake: Pick<RunningIntake, 'operators'>,
  propose: (admin: Operators) => Promise<Result>,
): Promise<Exclude<Result, { approvalId: string }>> {
  const { approvalId: id = '' } = (await propose(intake.operators(asOperator('admin')))) as {
    readonly approvalId?: string;
  };
  const { result } = await intake.operators(secondAdministrator).approvals.approve.mutate({ id });
  return result as Exclude<Result, { approvalId: string }>;
}

/** The token of a call that the gateway makes to the notifier for an operator, signed by intake or by who would like to be it. */
export async function callTokenOf(
  { ground }: Pick<RunningIntake, 'ground'>,
  role: 'viewer' | 'reviewer' | 'admin',
  { signer = 'intake', receiver = 'notifier', agoMs = 0 }: PlayedCallToken = {},
): Promise<string> {
  const { keyring } = await ground.peer(signer);
  const keys = { intake: keyring, own: keyring, nowMs: () => Date.now() - agoMs };
  return (await signFakeToken(asOperator(role), { self: 'gateway', receiver, keys })) ?? '';
}

interface PlayedCallToken {
  readonly signer?: 'intake' | 'gateway' | 'notifier';
  readonly receiver?: 'notifier' | 'terms';
  readonly agoMs?: number;
}

export interface RunningIntake extends AsyncDisposable {
  readonly ground: TestGround;
  /** As the gateway would call for this caller. */
  client(caller: FakeCaller | Caller): ReturnType<typeof createBusClient<ServiceRowsRouter<'intake'>>>;
  operators(caller: FakeCaller | Caller): ReturnType<typeof createBusClient<OperatorRowsRouter<'intake'>>>;
  /** As another service. */
  peer(
    name: 'generation' | 'notifier' | 'terms',
  ): Promise<ReturnType<typeof createBusClient<ServiceRowsRouter<'intake'>>>>;
  /** As generation's relay would, of what generation's register says as well, unless the test plays that itself. */
  tell<S extends Extract<MessageSubject, `events.certificate.${string}`>>(
    subject: S,
    message: Message<S>,
  ): Promise<void>;
  /** Generation's register has this certificate; nobody was told of it. */
  recordCertificate(certificate: Message<'events.certificate.issued'>): void;
  /** Ends the service in this process, for a test that runs it as a process of its own. */
  stopService(): Promise<void>;
  /** Every job of a subject that is in its stream, in order. */
  outbox<S extends MessageSubject>(subject: S): Promise<Message<S>[]>;
  query<T = Record<string, unknown>>(sql: string, params?: unknown[]): Promise<T[]>;
}

/** Intake as it runs, on a real PostgreSQL and a real nats-server; the other services are played by the test. */
export async function runningIntake(
  env: Record<string, string> = {},
  options: { clock?: Clock } = {},
): Promise<RunningIntake> {
  await using owned = new AsyncDisposableStack();
  const provisioned = { main: new URL('../../src/main.ts', import.meta.url), seed };
  const ground = owned.use(await testGround('intake', { env, provisioned }));
  const gateway = await ground.peer('gateway');
  const generation = await ground.peer('generation');
  const notifier = await ground.peer('notifier');
  const terms = await ground.peer('terms');
  const buses = new Map<string, Bus>();
  for (const peer of [gateway, generation, notifier, terms]) {
    const bus = owned.use(await connectBus(peer));
    buses.set(peer.name, bus);
  }
  const busOf = (name: string) => buses.get(name) as Bus;
  const certificates = owned.use(await fakeCertificates(ground));
  const generationStreams = owned.use(await connectBus(generation.streams));
  const observer = owned.use(await connectBus({ ...ground.observer, name: 'observer' }));
  const jetstream = await observer.nc.jetstreamManager();
  const ofOthers = streams.filter(({ retention, owner }) => retention === 'workqueue' && owner !== 'intake');
  for (const { name, subjects } of ofOthers) await jetstream.streams.add({ name, subjects: [...subjects] });
  await prepareEvidence(gateway.keyring);
  const config = readConfig(ground.env);
  const service = owned.use(
    await startTestService({
      name: 'intake',
      config,
      build: (read, parts) => buildService(read, parts, options),
    }),
  );
  const held = owned.move();
  const database = ground.service.database;
  const asGateway = { self: 'gateway', keys: gateway.keys } as const;
  /** Signed in now: the token is made from the rights as they are, unless the test says from which. */
  const signedIn = (caller: FakeCaller | Caller) => async (): Promise<Caller> => {
    if (caller.kind === 'service' || caller.kind === 'public' || 'gen' in caller) return caller;
    const [table, id] =
      caller.kind === 'partner' ? ['partner', caller.partnerId] : ['operator', caller.operatorId];
    const rows = await database.query<{ gen: number }>(`select gen from intake.${table} where id = $1`, [id]);
    return { gen: rows[0]?.gen, ...caller } as Caller;
  };
  const { publish } = createPublisher(generationStreams);
  return {
    ground,
    client: (caller) =>
      fakeClient(createBusClient<ServiceRowsRouter<'intake'>>, busOf('gateway'), ['rpc', 'intake'], {
        ...asGateway,
        caller: signedIn(caller),
      }),
    operators: (caller) =>
      fakeClient(createBusClient<OperatorRowsRouter<'intake'>>, busOf('gateway'), ['ops', 'intake'], {
        ...asGateway,
        caller: signedIn(caller),
      }),
    async peer(name) {
      const { keys } = { generation, notifier, terms }[name];
      return fakeClient(createBusClient<ServiceRowsRouter<'intake'>>, busOf(name), ['rpc', 'intake'], {
        self: name,
        keys,
      });
    },
    async tell(subject, message) {
      certificates.record(subject, message);
      const signed = signMessage(generation.keyring, { subject, data: message, headers: {} });
      await publish({ subject, id: randomUUID(), ...signed });
    },
    recordCertificate: (certificate) => certificates.record('events.certificate.issued', certificate),
    stopService: service.stop,
    async outbox(subject) {
      const rows = await database.query<{ payload: never }>(
        'select payload from intake.outbox where subject = $1 order by id',
        [subject],
      );
      return rows.map(({ payload }) => payload);
    },
    query: (sql, params) => database.query(sql, params),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

export function makeRegistration(
  fields: Record<string, string | undefined> = {},
  { requestId = freshRequestId(), ...rest }: Partial<requestsContract.RegisterInput> = {},
): requestsContract.RegisterInput {
  return {
    files: [],
    requestId,
    family: 'TV',
    fields: Object.fromEntries(
      Object.entries({
        identificationNumber: makeCedula(),
        applicantName: 'María José',
        applicantLastName: 'Ñúñez',
        applicantSecondLastName: 'Pazmiño',
        fingerCode: 'V4333V2222',
        email: 'jane@mail.com',
        cellphoneNumber: '+593991234567',
        city: 'Quito',
        address: 'Av. Amazonas',
        documentType: 'CI',
        applicationType: 'NATURAL_PERSON',
        certificateType: 'TRADITIONAL_SIGNATURE',
        period: 'ONE_YEAR',
        referenceTransaction: makeReference(),
        callbackUrl: 'https://partner.example.org/hook',
        ...fields,
      }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    faults: [],
    sealedPassword: 'sealed.to.generation',
    evidence: freshEvidence(requestId),
    ...rest,
  };
}
