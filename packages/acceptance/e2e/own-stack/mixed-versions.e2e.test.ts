import { readlink } from 'node:fs/promises';
import { type ServiceName, services } from '@rubrica/contracts/shared/enumerations';
import { hasFormerRelease } from '@rubrica/testkit/former-release';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnScene, openScene } from '../support/scene.ts';
import { allowFormerLocks, type TwoVersions, twoVersions } from '../support/two-versions.ts';

/**
 * In which of four turns a service is the former one. Two turns each, no two services the same: so each service calls each
 * other one once as the older of the two and once as the younger.
 */
const formerIn: Record<ServiceName, readonly number[]> = {
  gateway: [0, 1],
  intake: [0, 2],
  generation: [1, 2],
  terms: [1, 3],
  notifier: [2, 3],
};

/** The former release seals no calls; its intake signs neither orders nor deliveries, and registers without a MAC. */
const mixed = {
  ORDER_STATEMENTS: 'accepted',
  DELIVERY_STATEMENTS: 'accepted',
  BUS_SEALS: 'accepted',
  ADOPT_REQUESTS_HOURS: '24',
};

const turns = [0, 1, 2, 3].map((turn) => ({
  turn,
  former: services.filter((service) => formerIn[service].includes(turn)),
}));

// A clone without history has no former release to start.
describe.skipIf(!hasFormerRelease())(
  'services of the former release and of this one, on the schema of this one (not in a shallow clone)',
  () => {
    const resources = new AsyncDisposableStack();
    let versions: TwoVersions;
    let scene: OwnScene;

    beforeAll(async () => {
      versions = resources.use(await twoVersions());
      scene = resources.use(await openScene({ folders: versions.folders, env: mixed }));
      await allowFormerLocks(scene.stack);
    });
    afterAll(() => resources.disposeAsync());

    async function become(former: readonly ServiceName[]): Promise<void> {
      for (const service of services) {
        await versions.choose(service, former.includes(service) ? 'former' : 'present');
      }
      const { services: handles } = scene.stack;
      await Promise.all(services.map((service) => handles[service].kill('SIGTERM')));
      await Promise.all(services.map((service) => handles[service].ready(120_000)));
    }

    it('every two services meet both ways', () => {
      for (const one of services) {
        for (const other of services.filter((service) => service !== one)) {
          const meets = turns.some(({ former }) => former.includes(one) && !former.includes(other));
          expect(meets, `${one} of the former release with ${other} of this one`).toBe(true);
        }
      }
    });

    it.each(turns)(
      'a request leads to its certificate where $former are of the former release',
      async ({ former }) => {
        await become(former);
        for (const service of services) {
          const folder = await readlink(`/proc/${scene.stack.info().services[service].pid}/cwd`);
          expect(folder.includes('/.rubrica/releases/'), `${service} runs in ${folder}`).toBe(
            former.includes(service),
          );
        }
        const { sandbox } = scene.partners;
        const { reference } = await sandbox.accepted();
        await sandbox.hears(reference, 'certificate.issued');
        expect((await sandbox.view(reference)).status).toBe('GENERATED');
        // Not the logs: generation of 0.1.0 logs an error where it is stopped while it makes a key ahead.
        expect(sandbox.faults()).toEqual([]);
      },
    );
  },
);
