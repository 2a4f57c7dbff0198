import type { ReadingOfApplicants } from '@rubrica/audit/log';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { type OperatorPath, operatorProcedures } from '@rubrica/contracts/operators/procedures';
import { sealedInput } from '@rubrica/contracts/operators/sealed-input';
import { type ActsFor, type Call, operator } from '@rubrica/contracts/services/call';
import { serviceCalls } from '@rubrica/contracts/services/calls';
import type { Caller } from '@rubrica/contracts/shared/caller';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { AppError } from '@rubrica/process/errors';
import {
  assertOperator,
  assertPartner,
  assertService,
  type BaseContext,
  createServiceTrpc,
} from '@rubrica/process/trpc';
import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import { createWaitingSlots, type WaitingSlots } from '../shares/index.ts';
import type { CallHandlers, OperatorHandlers } from './handlers.ts';
import { maskIdentification } from './mask-identification.ts';
import { toReading } from './reads-of-applicants.ts';

export interface Implementation<Service extends ServiceName> {
  /** Handlers for other services. */
  readonly calls: CallHandlers<Service>;
  /** Handlers for people, through the gateway. */
  readonly operators: OperatorHandlers<Service>;
  /** Records whose data an operator read, before the answer is sent; if that fails, there is no answer. */
  readonly noteReading?: (reading: ReadingOfApplicants) => Promise<void>;
  /** Translates a failure if the service knows more than "unexpected", for example that the database is away. */
  readonly translate?: (error: unknown) => unknown;
}

/** Routers of a service, to be served on the bus. */
export interface ServiceRouters {
  readonly calls: AnyTRPCRouter;
  readonly operators: AnyTRPCRouter;
}

type AnyHandler = (input: never, call: never) => unknown;
type Handlers = Readonly<Record<string, AnyHandler | undefined>>;
type Options = Pick<Implementation<ServiceName>, 'noteReading' | 'translate'> & {
  readonly turns: WaitingSlots;
};

/** Slots of one copy for calls that read many rows: a few of its connections, so that other calls find one. */
const slots = 4;
/** Waiting calls of one partner or operator: as many as a batch has and a page requests at once. */
const maxWaiting = 32;

interface Row extends Pick<Call, 'kind' | 'callers' | 'actsFor' | 'input' | 'output' | 'takesTurns'> {
  readonly readsApplicants?: true;
}

/**
 * Creates the routers of a service from the rows of the calls tables and one use case each. Guard, schemas of input and
 * output and the kind of call come from the row, so a use case gets checked input from an authorised caller.
 */
export function implement<Service extends ServiceName>(
  service: Service,
  { calls, operators, ...options }: Implementation<Service>,
): ServiceRouters {
  const rows: Readonly<Record<string, Row>> = serviceCalls[service];
  const shared = { ...options, turns: createWaitingSlots({ places: slots, mostWaiting: maxWaiting }) };
  return {
    calls: createRouter(rows, calls, shared),
    operators: createRouter(operatorRows(operators), operators, shared),
  };
}

/** Builds the rows of operators' procedures, which only the gateway forwards. */
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

function createRouter(
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
        const output = await (row.takesTurns ? turns.run(findOwner(ctx.caller), read, ctx) : read());
        if (ctx.caller.kind !== 'operator') return output;
        if (row.readsApplicants)
          await noteReading?.(toReading(name, { operator: ctx.caller, input, output }));
        return ctx.caller.role === 'viewer' ? maskIdentification(output) : output;
      } catch (error) {
        throw translate === undefined ? error : translate(error);
      }
    };
    const base = trpc.procedure
      .use(trpc.guard(createGuard(row)))
      .input(row.input)
      .output(row.output);
    return [name, row.kind === 'query' ? base.query(run) : base.mutation(run)];
  });
  return trpc.router(nestProcedures(procedures));
}

/** Names the owner of the slot that a call takes. */
function findOwner(caller: Caller): string {
  if (caller.kind === 'partner') return caller.partnerId;
  return caller.kind === 'operator' ? caller.operatorId : caller.kind;
}

/** Creates the guard of a row, which checks the calling service and the principal. */
function createGuard({ callers, actsFor }: Row): (caller: Caller, peer: ServiceName) => Caller {
  const assertCaller = guards[actsFor.kind](actsFor as never, callers);
  return (caller, peer) => {
    if (!callers.includes(peer)) throw new AppError({ code: 'FORBIDDEN' });
    return assertCaller(caller);
  };
}

function assertServiceCaller(_: ActsFor, callers: readonly ServiceName[]) {
  return (caller: Caller) => assertService(caller, callers);
}

const guards: {
  readonly [Kind in ActsFor['kind']]: (
    actsFor: Extract<ActsFor, { kind: Kind }>,
    callers: readonly ServiceName[],
  ) => (caller: Caller) => Caller;
} = {
  service: assertServiceCaller,
  applicant: assertServiceCaller,
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

/** Nests `a.b` as `{ a: { b } }`, the form of tRPC's routers. */
function nestProcedures(procedures: readonly (readonly [string, AnyTRPCProcedure])[]) {
  const record: Record<string, AnyTRPCProcedure | Record<string, AnyTRPCProcedure>> = {};
  for (const [path, procedure] of procedures) {
    const [group = '', name] = path.split('.');
    if (name === undefined) record[group] = procedure;
    else record[group] = { ...(record[group] as Record<string, AnyTRPCProcedure>), [name]: procedure };
  }
  return record;
}
