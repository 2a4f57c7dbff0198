import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { sealedInput } from '@rubrica/contracts/operators/sealed-input';
import { type ActsFor, type Call, operator } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import {
  AppError,
  assertOperator,
  assertPartner,
  assertService,
  type BaseContext,
  createServiceTrpc,
} from '@rubrica/process';
import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import { createTurns, type Turns } from '../shares/index.ts';
import type { CallHandlers, OperatorHandlers } from './handlers.ts';
import { maskIdentification } from './mask-identification.ts';
import { type ReadingOfApplicants, readingOf } from './reading-of-applicants.ts';

export interface Implementation<Service extends ServiceName> {
  /** For other services. */
  readonly calls: CallHandlers<Service>;
  /** For people, through the gateway. */
  readonly operators: OperatorHandlers<Service>;
  /** Writes down who read of whom, before the answer leaves; the answer is not given where that fails. */
  readonly noteReading?: (reading: ReadingOfApplicants) => Promise<void>;
  /** What a failure means to the caller, where the service knows more than "unexpected": the database is away. */
  readonly translate?: (error: unknown) => unknown;
}

/** The routers of a service, to be served on the bus. */
export interface Implemented {
  readonly calls: AnyTRPCRouter;
  readonly operators: AnyTRPCRouter;
}

type AnyHandler = (input: never, call: never) => unknown;
type Handlers = Readonly<Record<string, AnyHandler | undefined>>;
type Options = Pick<Implementation<ServiceName>, 'noteReading' | 'translate'> & { readonly turns: Turns };

/** Places of one copy for calls that take turns: a few of its connections, so that other calls find one. */
const places = 4;
/** Such calls of one partner or operator that wait, as many as a batch has and a page asks at once. */
const mostWaiting = 32;

interface Row extends Pick<Call, 'kind' | 'callers' | 'actsFor' | 'input' | 'output' | 'takesTurns'> {
  readonly readsApplicants?: true;
}

/**
 * Makes the routers of a service from the rows of the calls tables and one use case each: the guard, the schemas of
 * input and output and the kind of call come from the row, so a use case sees checked input from a caller who may.
 */
export function implement<Service extends ServiceName>(
  service: Service,
  { calls, operators, ...options }: Implementation<Service>,
): Implemented {
  const rows: Readonly<Record<string, Row>> = serviceCalls[service];
  const shared = { ...options, turns: createTurns({ places, mostWaiting }) };
  return {
    calls: routerOf(rows, calls, shared),
    operators: routerOf(operatorRows(operators), operators, shared),
  };
}

/** The gateway alone passes on what operators ask. */
function operatorRows(handlers: object): Record<string, Row> {
  const row = (path: OperatorPath): Row => {
    const { role, sessions, input, seals, ...procedure }: OperatorProcedure = operatorProcedures[path];
    if (role === 'public') throw new Error(`${path}: the gateway answers it itself`);
    return {
      ...procedure,
      input: sealedInput({ input, seals }),
      callers: ['gateway'],
      actsFor: operator(role, sessions),
    };
  };
  return Object.fromEntries(Object.keys(handlers).map((path) => [path, row(path as OperatorPath)]));
}

function routerOf(
  rows: Readonly<Record<string, Row>>,
  handlers: Handlers,
  { noteReading, translate, turns }: Options,
): AnyTRPCRouter {
  const trpc = createServiceTrpc<BaseContext>();
  const procedures = Object.entries(rows).map(([name, row]): [string, AnyTRPCProcedure] => {
    const handler = handlers[name];
    if (handler === undefined) throw new Error(`${name} is in the calls table and has no code`);
    const run = async ({ ctx, input }: { ctx: BaseContext; input: unknown }) => {
      try {
        const read = () => handler(input as never, ctx as never);
        const output = await (row.takesTurns ? turns.run(ownerOf(ctx.caller), read, ctx) : read());
        if (ctx.caller.kind !== 'operator') return output;
        if (row.readsApplicants)
          await noteReading?.(readingOf(name, { operator: ctx.caller, input, output }));
        return ctx.caller.role === 'viewer' ? maskIdentification(output) : output;
      } catch (error) {
        throw translate === undefined ? error : translate(error);
      }
    };
    const base = trpc.procedure
      .use(trpc.guard(guardOf(row)))
      .input(row.input)
      .output(row.output);
    return [name, row.kind === 'query' ? base.query(run) : base.mutation(run)];
  });
  return trpc.router(nested(procedures));
}

/** Names the caller whose turn it is. */
function ownerOf(caller: Caller): string {
  if (caller.kind === 'partner') return caller.partnerId;
  return caller.kind === 'operator' ? caller.operatorId : caller.kind;
}

/** What the row demands of the service that calls and of whom it calls for. */
function guardOf({ callers, actsFor }: Row): (caller: Caller, peer: ServiceName) => Caller {
  const assertCaller = guards[actsFor.kind](actsFor as never, callers);
  return (caller, peer) => {
    if (!callers.includes(peer)) throw new AppError({ code: 'FORBIDDEN' });
    return assertCaller(caller);
  };
}

function ofService(_: ActsFor, callers: readonly ServiceName[]) {
  return (caller: Caller) => assertService(caller, callers);
}

const guards: {
  readonly [Kind in ActsFor['kind']]: (
    actsFor: Extract<ActsFor, { kind: Kind }>,
    callers: readonly ServiceName[],
  ) => (caller: Caller) => Caller;
} = {
  service: ofService,
  applicant: ofService,
  anyone: () => (caller) => caller,
  partner:
    ({ scope }) =>
    (caller) =>
      assertPartner(caller, scope),
  operator:
    ({ role, sessions }) =>
    (caller) =>
      assertOperator(caller, role, sessions),
};

/** `a.b` becomes `{ a: { b } }`, which is how tRPC nests routers. */
function nested(procedures: readonly (readonly [string, AnyTRPCProcedure])[]) {
  const record: Record<string, AnyTRPCProcedure | Record<string, AnyTRPCProcedure>> = {};
  for (const [path, procedure] of procedures) {
    const [group = '', name] = path.split('.');
    if (name === undefined) record[group] = procedure;
    else record[group] = { ...(record[group] as Record<string, AnyTRPCProcedure>), [name]: procedure };
  }
  return record;
}
