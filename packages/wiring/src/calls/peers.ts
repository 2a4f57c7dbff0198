import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, createBusClient } from '@rubrica/bus';
import type { Call } from '@rubrica/contracts/services/call';
import { type CallableBy, type ServiceCalls, serviceCalls } from '@rubrica/contracts/services/calls';
import { toCallSubject } from '@rubrica/contracts/services/subjects';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import { SpanTemplate, withLeafSpan } from '@rubrica/process/tracing';
import { outgoingHeaders } from '@rubrica/process/trpc';
import type { AnyTRPCRouter } from '@trpc/server';
import type { z } from 'zod';
import { createOwnerSlots } from '../shares/index.ts';
import { findProcedure } from './find-procedure.ts';
import type { CallerFor } from './handlers.ts';
import { createCallProof, type Prove } from './prove.ts';
import { createWithinBulkhead } from './within-bulkhead.ts';

export interface PeerOptions<Self extends ServiceName> {
  readonly self: Self;
  readonly bus: Bus;
  /** Obtains the token for calls that are made for a partner or an operator. */
  readonly prove?: Prove;
  /** Time limit of calls whose row sets none. */
  readonly timeoutMs: number;
  /**
   * Repeats an unanswered call once if its row allows it. For services whose own caller waits; a service that works on
   * jobs repeats them anyway.
   */
  readonly repeats?: boolean;
}

interface OptionsOfCall {
  /** Aborting it tells the peer. */
  readonly signal?: AbortSignal;
}

interface OnBehalf<Row extends Call> extends OptionsOfCall {
  /** Principal of the call. */
  readonly for: CallerFor<Row['actsFor']> & { readonly sealedToken?: string };
}

/**
 * One call to a peer. Input and output are checked against the row at both ends.
 * @throws AppError
 */
type PeerCall<Row> = Row extends Call
  ? Row['actsFor']['kind'] extends 'partner' | 'operator'
    ? (input: z.input<Row['input']>, options: OnBehalf<Row>) => Promise<z.output<Row['output']>>
    : (input: z.input<Row['input']>, options?: OptionsOfCall) => Promise<z.output<Row['output']>>
  : never;

/** Calls that one service may make, by peer and name: `peers.intake['requests.register'](input, { for: partner })`. */
export type Peers<Self extends ServiceName> = {
  readonly [Service in ServiceName]: {
    readonly [Name in CallableBy<Self, Service>]: PeerCall<ServiceCalls[Service][Name]>;
  };
};

/** Cause of a refusal that answered a repeat: the outcome of the first call is unknown. */
class NotAnswered extends Error {
  override readonly name = 'NotAnswered';
}

/** Concurrent calls of one partner to one service: a part of those that the service accepts at once from two copies. */
const slotsPerPartner = 96;

/** Names the owner of the slot that a call takes: a partner, or at the gateway all callers without a token. */
function findOwner(self: ServiceName, caller: AnyOptions['for']): string | undefined {
  if (caller?.kind === 'partner') return caller.partnerId;
  return self === 'gateway' && caller === undefined ? 'public' : undefined;
}

/** Long enough for a copy that is being replaced to leave its queue group, too short to be noticed. */
const repeatAfterMs = 150;

/** Creates the clients of all other services, the only way to call them. */
export function createPeers<Self extends ServiceName>(options: PeerOptions<Self>): Peers<Self> {
  const services = Object.keys(serviceCalls) as ServiceName[];
  return Object.fromEntries(
    services.map((service) => [service, createCalls(service, options)]),
  ) as Peers<Self>;
}

interface AnyOptions extends OptionsOfCall {
  readonly for?: CallerFor<Call['actsFor']>;
}

function createCalls<Self extends ServiceName>(service: ServiceName, options: PeerOptions<Self>): object {
  const { self, bus, prove, repeats = false } = options;
  const calls: Readonly<Record<string, Call | undefined>> = serviceCalls[service];
  const withinBulkhead = createWithinBulkhead();
  const places = createOwnerSlots(slotsPerPartner);
  const client = createBusClient<AnyTRPCRouter>(bus, {
    subjectPrefix: toCallSubject('rpc', service, self),
    timeoutMs: options.timeoutMs,
    travelsTogether: (path) => calls[path]?.travelsTogether === true,
  });
  const rows = Object.entries<Call>(serviceCalls[service]).filter(([, { callers }]) =>
    callers.includes(self),
  );
  const call = ([name, row]: readonly [string, Call]) => {
    const send = findProcedure(client, name, row.kind);
    const template = new SpanTemplate(`call ${name}`, {
      kind: 'client',
      facts: { 'rpc.system': 'trpc', 'rpc.service': service, 'rpc.method': name },
      fields: { procedure: name },
    });
    const call = async (input: unknown, { for: caller, signal }: AnyOptions) => {
      const ask = (traceparent: string | undefined) =>
        withinBulkhead(row.bulkhead, async () => {
          const headers = outgoingHeaders(await createCallProof(caller, service, prove), traceparent);
          const context = row.timeoutMs === undefined ? { headers } : { headers, timeoutMs: row.timeoutMs };
          return row.output.parse(
            await send(input, { context, ...(signal === undefined ? {} : { signal }) }),
          );
        });
      return withLeafSpan(template, (span) => {
        const askBelow = () => ask(span?.traceparent);
        return repeats && row.repeat !== undefined ? withOneRepeat(askBelow) : askBelow();
      });
    };
    return (input: unknown, options: AnyOptions = {}) => {
      const owner = findOwner(self, options.for);
      return owner === undefined
        ? call(input, options)
        : places.run(owner, () => call(input, options), options);
    };
  };
  return Object.fromEntries(rows.map((row) => [row[0], call(row)]));
}

/**
 * Makes a call, and repeats it once if it was not answered.
 * @throws AppError of the second call
 */
async function withOneRepeat<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if ((error as AppError).code !== 'SERVICE_UNAVAILABLE') throw error;
  }
  await delay(repeatAfterMs * (1 + Math.random()));
  try {
    return await ask();
  } catch (error) {
    throw afterRepeat(error as AppError);
  }
}

function afterRepeat(fault: AppError): AppError {
  const { code, text, publicMessage, details } = fault;
  if (code === 'SERVICE_UNAVAILABLE') return new AppError({ code, cause: fault, retryAfterSeconds: 2 });
  return new AppError({
    code,
    text,
    publicMessage,
    details,
    cause: new NotAnswered('the first call had no answer'),
  });
}
