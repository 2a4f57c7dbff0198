import { evidenceStoreChecks } from '@rubrica/evidence-store/doctor';
import { createPeers } from '@rubrica/wiring';
import { assertClock, callsChecks, runDoctor, streamsChecks } from '@rubrica/wiring/doctor';
import { gatewaySettings, readConfig } from './config.ts';

const timeoutMs = 5_000;

/** Checks whether this service can run in its environment, and suggests remedies. */
export function run(args: readonly string[]): Promise<never> {
  return runDoctor(args, {
    service: 'gateway',
    settings: gatewaySettings,
    config: readConfig,
    groups: ({ nats, keys, evidence }) => [
      callsChecks('gateway', { nats, keys }, [
        {
          name: 'intake',
          async look(bus) {
            const { intake } = createPeers({ self: 'gateway', bus, timeoutMs });
            const clock = await assertClock(
              'PostgreSQL of intake',
              async () => (await intake['clock.read']({})).nowMs,
            );
            return `answers; the clock is ${clock}`;
          },
          remedy: 'Look whether intake is ready, by its own doctor, and at the clocks of both machines.',
        },
      ]),
      streamsChecks('gateway', nats),
      evidenceStoreChecks(evidence),
    ],
  });
}
