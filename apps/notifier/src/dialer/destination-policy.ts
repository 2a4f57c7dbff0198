import {
  type AddressKind,
  forbiddenKind,
  isInNetworks,
  isWebPort,
  type Networks,
} from '@rubrica/process/networks';

/** Destinations that the configuration allows beyond public https. */
export interface DestinationPolicy {
  /** Allows loopback addresses, with http and at any port: for receivers on the developer's machine. */
  readonly allowLoopback: boolean;
  /** Non-public networks that may be called with https: the operator's own. */
  readonly allowedNetworks?: Networks;
}

/**
 * Name that resolves to a forbidden address, for the log only: a partner would learn names of the authority's network.
 */
export interface RefusedName {
  readonly host: string;
  readonly address: string;
  readonly kind: AddressKind;
}

/**
 * Refusal of an address before a byte was sent. The message may appear in the attempt's record, which its partner
 * reads.
 */
export class ForbiddenDestinationError extends Error {
  readonly code = 'DESTINATION_FORBIDDEN';
  readonly refused: RefusedName | undefined;

  constructor(message: string, refused?: RefusedName) {
    super(message);
    this.refused = refused;
  }
}

/**
 * Judges the address that is about to be dialled; a name is not enough, because its addresses may change.
 * @param protocol `http:` or `https:`
 */
export function checkAddress(
  { protocol, hostname, address }: { protocol: string; hostname: string; address: string },
  policy: DestinationPolicy,
): ForbiddenDestinationError | undefined {
  const kind = forbiddenKind(address);
  if (kind === 'loopback' && policy.allowLoopback) return undefined;
  const isAllowed = policy.allowedNetworks !== undefined && isInNetworks(address, policy.allowedNetworks);
  if (kind !== undefined && !isAllowed) return createForbidden({ host: hostname, address, kind });
  if (protocol === 'https:') return undefined;
  return new ForbiddenDestinationError(`${hostname} must be called with https`);
}

/** Checks a URL without resolving its name; a text that is not a web address is refused too. */
export function checkUrl(text: string, policy: DestinationPolicy): URL | ForbiddenDestinationError {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return new ForbiddenDestinationError('the callback address is no http or https address');
  }
  // `https://bank.example@10.0.0.1/` misleads readers of logs, and other clients turn it into an Authorization header.
  if (url.username !== '' || url.password !== '') {
    return new ForbiddenDestinationError('the callback address holds a user name');
  }
  if (!policy.allowLoopback && !isWebPort(url.port)) {
    return new ForbiddenDestinationError(`port ${url.port} is none of a web receiver and is not called`);
  }
  return url;
}

const addressLabels: Record<AddressKind, string> = {
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

/** Formats the refusal; an address that the URL itself contains is not secret. */
function createForbidden(refused: RefusedName): ForbiddenDestinationError {
  const { host, address, kind } = refused;
  if (host === address)
    return new ForbiddenDestinationError(`${host} is ${addressLabels[kind]} and is not called`);
  return new ForbiddenDestinationError(
    `${host} leads to an address that is not public and is not called`,
    refused,
  );
}
