import type { LinkTicket } from './link-flow.ts';
import type { LinkName } from './types.ts';

/** Cookies of an applicant's browser for one link. */
export interface ClaimCookies {
  /** Replaces a checked code on the next page. */
  readonly right?: string | undefined;
  /** Secret of the browser that claimed, for downloads without another code. */
  readonly retrieval?: { readonly secret: string; readonly until: Date } | undefined;
  /** True if this browser downloaded the file; the page then shows the next steps. */
  readonly taken: boolean;
}

/** Link that a cookie belongs to. `isSecure`: browsers reach this service by https. */
export interface CookieScope {
  readonly link: LinkName;
  readonly token: string;
  readonly isSecure: boolean;
}

type Name = 'right' | 'retrieval' | 'taken';

const secretPattern = /^[A-Za-z0-9_-]{1,128}$/;
const retrievalPattern = /^([A-Za-z0-9_-]{1,128})\.([0-9]{10})$/;
const takenSeconds = 7 * 24 * 60 * 60;

// `__Secure-` instead of `__Host-`, which requires the path `/`: a cookie belongs to one link and is sent with no
// other.
function formatName(name: Name, { isSecure }: Pick<CookieScope, 'isSecure'>): string {
  return `${isSecure ? '__Secure-' : ''}rubrica-claim-${name}`;
}

function formatAttributes({ link, token, isSecure }: CookieScope): string {
  return `Path=/${link}/${token}; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

function formatCookie(name: Name, place: CookieScope, value: { text: string; seconds: number }): string {
  const life = Math.max(0, Math.floor(value.seconds));
  return `${formatName(name, place)}=${value.text}; Max-Age=${life}; ${formatAttributes(place)}; HttpOnly`;
}

function secondsUntil(at: Date, now: Date): number {
  return (at.getTime() - now.getTime()) / 1000;
}

export function formatTicketCookie(right: LinkTicket, place: CookieScope, now: Date): string {
  return formatCookie('right', place, { text: right.secret, seconds: secondsUntil(right.expiresAt, now) });
}

export function formatRetrievalCookie(right: LinkTicket, place: CookieScope, now: Date): string {
  const { secret, expiresAt } = right;
  const until = Math.floor(expiresAt.getTime() / 1000);
  return formatCookie('retrieval', place, {
    text: `${secret}.${until}`,
    seconds: secondsUntil(expiresAt, now),
  });
}

export function formatExpiredCookie(name: 'right' | 'retrieval', place: CookieScope): string {
  return formatCookie(name, place, { text: '', seconds: 0 });
}

/** Formats the cookie of a download. It is not a secret: the page's script waits for it to detect the download. */
export function formatDownloadedCookie(place: CookieScope): string {
  return `${formatName('taken', place)}=1; Max-Age=${takenSeconds}; ${formatAttributes(place)}`;
}

/** Reads the cookies of a browser; malformed ones are ignored. */
export function readClaimCookies(
  header: string | undefined,
  place: Pick<CookieScope, 'isSecure'>,
): ClaimCookies {
  const readValue = (name: Name) => {
    const begin = `${formatName(name, place)}=`;
    const pair = (header ?? '')
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(begin));
    return pair?.slice(begin.length) ?? '';
  };
  const right = readValue('right');
  const [, secret, until] = retrievalPattern.exec(readValue('retrieval')) ?? [];
  return {
    right: secretPattern.test(right) ? right : undefined,
    retrieval:
      secret === undefined || until === undefined
        ? undefined
        : { secret, until: new Date(Number(until) * 1000) },
    taken: readValue('taken') === '1',
  };
}
