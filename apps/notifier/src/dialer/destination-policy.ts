import { type AddressKind, forbiddenKind, isInNetworks, isWebPort, type Networks } from '@rubrica/process';

/** What configuration allows beyond public https. */
export interface DestinationPolicy {
  /** Loopback addresses, with http and at any port: for receivers on the developer's own machine. */
  readonly allowLoopback: boolean;
  /** Called although they are not public, with https: the operator's own network. */
  readonly allowedNetworks?: Networks;
}

/** Name that leads to a forbidden address, for the log alone: a partner would learn the names of the authority's own network. */
export interface RefusedName {
  readonly host: string;
  readonly address: string;
  readonly kind: AddressKind;
}

/** The address was refused before a byte was sent. The message is fit for the attempt's record, which its partner reads. */
export class ForbiddenDestinationError extends Error {
  readonly code = 'DESTINATION_FORBIDDEN';
  readonly refused: RefusedName | undefined;

  constructor(message: string, refused?: RefusedName) {
    super(message);
    this.refused = refused;
  }
}

/**
 * Judges the address that is about to be dialled; names say nothing, they may point anywhere by then.
 * @param protocol `http:` or `https:`
 */
export function checkAddress(
  { protocol, hostname, address }: { protocol: string; hostname: string; address: string },
  policy: DestinationPolicy,
): ForbiddenDestinationError | undefined {
  const kind = forbiddenKind(address);
  if (kind === 'loopback' && policy.allowLoopback) return undefined;
  const isAllowed = policy.allowedNetworks !== undefined && isInNetworks(address, policy.allowedNetworks);
  if (kind !== undefined && !isAllowed) return forbidden({ host: hostname, address, kind });
  if (protocol === 'https:') return undefined;
  return new ForbiddenDestinationError(`${hostname} must be called with https`);
}

/** Judges what can be judged without a look-up; texts that are no web address are refused too. */
export function checkUrl(text: string, policy: DestinationPolicy): URL | ForbiddenDestinationError {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return new ForbiddenDestinationError('the callback address is no http or https address');
  }
  // `https://bank.example@10.0.0.1/` misleads readers of logs and turns into an Authorization header elsewhere.
  if (url.username !== '' || url.password !== '') {
    return new ForbiddenDestinationError('the callback address holds a user name');
  }
  if (!policy.allowLoopback && !isWebPort(url.port)) {
    return new ForbiddenDestinationError(`port ${url.port} is none of a web receiver and is not called`);
  }
  return url;
}

const words: Record<AddressKind, string> = {
  loopback: 'a loopback address',
  private: 'a private address',
  'link-local': 'a link-local address',
  shared: 'a shared (carrier) address',
  multicast: 'a multicast address',
  documentation: 'an address reserved for documentation',
  reserved: 'a reserved address',
  translated: 'an address that stands for another (NAT64, 6to4, Teredo)',
  unspecified: 'no address of a host',
};

/** An address that stands in the URL itself is no secret. */
function forbidden(refused: RefusedName): ForbiddenDestinationError {
  const { host, address, kind } = refused;
  if (host === address) return new ForbiddenDestinationError(`${host} is ${words[kind]} and is not called`);
  return new ForbiddenDestinationError(
    `${host} leads to an address that is not public and is not called`,
    refused,
  );
}
