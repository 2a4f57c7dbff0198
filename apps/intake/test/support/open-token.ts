import { newTokenBinding } from '@rubrica/process/tokens';
import type { TestGround } from '@rubrica/testkit';

interface Sealed {
  readonly sealedAccessToken: string;
}

/** What the gateway gets of an answer to the proof that it has sent. @throws KeyringError for an answer to another one */
export async function openToken<Answer extends Sealed>(
  ground: Pick<TestGround, 'peer'>,
  sealedProof: string,
  { sealedAccessToken, ...answer }: Answer,
): Promise<Omit<Answer, 'sealedAccessToken'> & { readonly accessToken: string }> {
  const { keyring } = await ground.peer('gateway');
  const accessToken = await keyring.openText(sealedAccessToken, newTokenBinding(sealedProof));
  return { ...answer, accessToken };
}
