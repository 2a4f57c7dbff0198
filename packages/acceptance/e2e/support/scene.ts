import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  loadStackSeed,
  type Seed,
  type Stack,
  type StackInfo,
  type StackOptions,
  startStack,
} from '@rubrica/stack';
import { disposeAfterAll, scratchDirectory } from '@rubrica/testkit';
import { freePort } from '@rubrica/testkit/processes';
import { stackHome } from '@rubrica/testkit/stack-home';
import { inject } from 'vitest';
import { type PartnerActor, partnerActor } from './partner-actor.ts';
import { type Answer, type Call, send } from './rest.ts';
import { errorsLogged, logsSoFar } from './service-logs.ts';

export type PartnerKey = keyof ReturnType<Stack['info']>['partners'];

/** A whole stack, its three partners with this file's own addresses, and plain calls to its gateway. */
export interface Scene extends AsyncDisposable {
  readonly stack: Pick<Stack, 'home' | 'info'>;
  /** Folder for files of the test. */
  readonly folder: string;
  readonly partners: Readonly<Record<PartnerKey, PartnerActor>>;
  call(call: Call): Promise<Answer>;
  /**
   * Fails if a service logged an error, or a webhook was wrong: for tests that break nothing.
   * @param altered tables whose rows the test alters: their alarms must have occurred, and are not errors
   */
  assertUntroubled(altered?: readonly string[]): Promise<void>;
}

/** A scene whose stack the test may break. */
export interface OwnScene extends Scene {
  readonly stack: Stack;
}

/** Joins the stack that `shared-stack.ts` has started, for tests that leave it unchanged. */
export async function joinScene(): Promise<Scene> {
  await using resources = new AsyncDisposableStack();
  const home = inject('stackHome');
  const { path: folder } = resources.use(await scratchDirectory('scene'));
  const info = () => JSON.parse(readFileSync(join(home, 'stack.json'), 'utf8')) as StackInfo;
  return await createScene({ stack: { home, info }, folder, resources });
}

/**
 * Opens this file's own stack in its own folder. Its ports are fixed from the start. A gateway binds its port seconds
 * after it was found free, and another run of tests with the same preference would take it meanwhile.
 * @param options a function of the initial rows, if its settings name a partner
 */
export async function openScene(
  options: StackOptions | ((seed: Seed) => StackOptions) = {},
): Promise<OwnScene> {
  await using resources = new AsyncDisposableStack();
  const { home, folder, remember } = resources.use(await stackHome('e2e'));
  const chosen = typeof options === 'function' ? options(await loadStackSeed(home)) : options;
  const stack = resources.use(await startStack({ home, port: await freePort(), ...chosen }));
  await remember(stack.info().databaseUrl);
  return await createScene({ stack, folder, resources });
}

async function createScene<S extends Scene['stack']>(parts: {
  stack: S;
  folder: string;
  resources: AsyncDisposableStack;
}): Promise<Scene & { readonly stack: S }> {
  const { stack, folder, resources } = parts;
  const before = await logsSoFar(stack.home);
  const actor = async (key: PartnerKey) => resources.use(await partnerActor(stack.info(), key));
  const partners = { sandbox: await actor('sandbox'), otp: await actor('otp'), other: await actor('other') };
  const owned = resources.move();
  return {
    stack,
    folder,
    partners,
    async assertUntroubled(altered = []) {
      const faults = Object.values(partners).flatMap((partner) => partner.faults());
      const errors = await errorsLogged(stack.home, before);
      const missing = altered.filter((table) => !errors.some((line) => line.table === table));
      const others = errors.filter(({ table }) => table === undefined || !altered.includes(table));
      const troubles = [...others, ...faults, ...missing.map((table) => `no alarm of ${table}`)];
      if (troubles.length > 0) throw new Error(`troubles: ${JSON.stringify(troubles, null, 1)}`);
    },
    call: (request) => send(stack.info().baseUrl, request),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Keeps a scene for a whole test file, like `disposeAfterAll`. The file fails if a service logged an error or a partner saw
 * a fault.
 */
export async function closeAfterAll<S extends Scene>(
  opening: Promise<S>,
  altered?: readonly string[],
): Promise<S> {
  const owned = await disposeAfterAll(new AsyncDisposableStack());
  const scene = owned.use(await opening);
  owned.defer(() => scene.assertUntroubled(altered));
  return scene;
}
