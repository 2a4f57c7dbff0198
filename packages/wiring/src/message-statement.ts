import { createHash } from 'node:crypto';
import type { Headers } from '@rubrica/bus';
import type { ServiceName } from '@rubrica/contracts/shared/enumerations';
import { type Keyring, KeyringError } from '@rubrica/process/keyring';

/** `typ` of the statement (RFC 7515) of a service about a message in a stream. */
const messageStatementType = 'rubrica-message+jwt';
/** Header of the message with the statement. */
const statementHeader = 'rubrica-statement';

export interface SignedMessage {
  readonly data: Uint8Array;
  readonly headers: Headers;
}

/** Signs subject and content of a message. Its receiver accepts it once, so it needs no end. */
export function signMessage(
  keyring: Pick<Keyring, 'signStatement'>,
  { subject, data, headers }: { readonly subject: string; readonly data: object; readonly headers: Headers },
): SignedMessage {
  const bytes = Buffer.from(JSON.stringify(data));
  const statement = keyring.signStatement(messageStatementType, { sub: subject, sha256: sha256(bytes) });
  return { data: bytes, headers: { ...headers, [statementHeader]: statement } };
}

/** Service whose messages are accepted, and whether unsigned ones are. */
export interface MessageSigner {
  readonly service: ServiceName;
  readonly keyring: Pick<Keyring, 'verifyStatement'>;
  readonly required: boolean;
}

/**
 * @throws KeyringError for a message that the service has not signed; messages of the previous release have no
 * statement
 */
export function assertSigned(
  { subject, data, headers }: SignedMessage & { readonly subject: string },
  { service, keyring, required }: MessageSigner,
): void {
  const statement = headers[statementHeader];
  if (statement === undefined && !required) return;
  const expected = { type: messageStatementType, issuer: service };
  const { claims } = keyring.verifyStatement(statement ?? '', expected);
  if (claims.sub !== subject || claims.sha256 !== sha256(data))
    throw new KeyringError('not-authentic', `the statement is not of this message of ${service}`);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
