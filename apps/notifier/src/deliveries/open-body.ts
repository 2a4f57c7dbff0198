import type { Sealed } from '@rubrica/database';
import type { Keyring } from '@rubrica/process';

/** The row is the delivery's own, so is its id: a body that was put into another row does not open. */
export async function openBody(
  { id, body }: { readonly id: string; readonly body: Sealed },
  keyring: Pick<Keyring, 'open'>,
): Promise<Buffer> {
  return Buffer.from(await keyring.open(body, { purpose: 'webhook-body', owner: id }));
}
