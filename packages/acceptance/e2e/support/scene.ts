import { type Stack, type StackOptions, startStack } from '@rubrica/stack';
import { type PartnerActor, partnerActor } from './partner-actor.ts';
import { type Answer, type Call, send } from './rest.ts';
import { errorsLogged } from './service-logs.ts';
import { stackHome } from './stack-home.ts';

export type PartnerKey = keyof ReturnType<Stack['info']>['partners'];

/** A whole stack in a folder of its own, its three partners, and plain calls to its gateway. */
export interface Scene extends AsyncDisposable {
  readonly stack: Stack;
  readonly folder: string;
  readonly partners: Readonly<Record<PartnerKey, PartnerActor>>;
  call(call: Call): Promise<Answer>;
  /** Fails when a service logged an error, or a webhook was not as it should be: for tests that break nothing. */
  assertUntroubled(): Promise<void>;
}

export async function openScene(options: StackOptions = {}): Promise<Scene> {
  await using resources = new AsyncDisposableStack();
  const { home, folder, remember } = resources.use(await stackHome('e2e'));
  const stack = resources.use(await startStack({ home, port: 4100, ...options }));
  await remember(stack.info().databaseUrl);
  const actor = async (key: PartnerKey) => resources.use(await partnerActor(stack.info(), key));
  const partners = { sandbox: await actor('sandbox'), otp: await actor('otp'), other: await actor('other') };
  const owned = resources.move();
  return {
    stack,
    folder,
    partners,
    async assertUntroubled() {
      const faults = Object.values(partners).flatMap((partner) => partner.faults());
      const troubles = [...(await errorsLogged(home)), ...faults];
      if (troubles.length > 0) throw new Error(`troubles: ${JSON.stringify(troubles, null, 1)}`);
    },
    call: (request) => send(stack.info().baseUrl, request),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** For `afterAll`: ends the stack, also when it troubled somebody, which then fails the test. */
export async function closeUntroubled(scene: Scene | undefined): Promise<void> {
  await using _ended = scene;
  await scene?.assertUntroubled();
}
