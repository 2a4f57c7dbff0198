import type { Caller } from '@rubrica/contracts/shared/caller';
import type { OperatorRowsRouter, ServiceRowsRouter } from '@rubrica/wiring';
import type { NotifierDeps } from '../../src/context.ts';
import { createRouters } from '../../src/router.ts';
import { silentLogger } from './database.ts';
import type { NotifierUnderTest } from './notifier.ts';

/** What a call brings with its input. */
export const callBy = <Who extends Caller>(caller: Who) => ({
  peer: caller.kind === 'service' ? caller.name : ('gateway' as const),
  caller,
  token: 'of the operator',
  requestId: 'test',
  signal: new AbortController().signal,
  logger: silentLogger,
});

const routersOf = ({ database, keyring, rows, deliveries, dialer, ping, reopened }: NotifierUnderTest) => {
  const deps: NotifierDeps = {
    database,
    keyring,
    rows,
    timeZone: 'America/Guayaquil',
    clock: () => new Date(),
    dialer,
    intake: {
      'events.reopen': async (asked) => {
        reopened.push(asked);
        return { count: asked.eventIds.length };
      },
    },
    nudgeDeliveries: deliveries.nudge,
    nudgeMessages: () => undefined,
    nudgeNotices: () => undefined,
    ping,
  };
  return createRouters(deps);
};

/** What operators may ask, in this process, guards and schemas included. */
export const operatorsCalls = (notifier: NotifierUnderTest, caller: Caller) =>
  (routersOf(notifier).operators as unknown as OperatorRowsRouter<'notifier'>).createCaller(callBy(caller));

/** The same for other services. */
export const servicesCalls = (notifier: NotifierUnderTest, caller: Caller) =>
  (routersOf(notifier).calls as unknown as ServiceRowsRouter<'notifier'>).createCaller(callBy(caller));
