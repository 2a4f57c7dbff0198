import { getCallerAddress } from '../http/caller-address.ts';
import { assertToken, createClaimPageContext } from './claim-link.ts';
import type { ApplicantVisit, LinkTicket } from './link-flow.ts';
import type { LinkAnswerDeps, LinkRequest } from './send-page.ts';
import type { LinkName } from './types.ts';

/** Link of a form, with the cookies of its browser. */
export interface Sender {
  readonly token: string;
  readonly place: CookieScope;
  readonly browser: ClaimCookies;
  readonly visit: ApplicantVisit;
}

/**
 * Identifies the sender of a form.
 * @throws AppError CLAIM_LINK_INVALID
 */
export function identifySender(
  request: LinkRequest,
  deps: Pick<LinkAnswerDeps, 'timeZone' | 'baseUrl'>,
): Sender {
  const token = assertToken(request.params.token);
  const { link, language } = createClaimPageContext(request, deps.timeZone);
  const place = { link, token, isSecure: isSecure(deps) };
  return {
    token,
    place,
    browser: readClaimCookies(request.headers.cookie, place),
    visit: {
      language,
      remoteAddress: getCallerAddress(request),
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    },
  };
}

/** Returns whether browsers reach this service by https, so that cookies are never sent over another connection. */
export function isSecure({ baseUrl }: Pick<LinkAnswerDeps, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
}

/** Cookies of an applicant's browser for one link. */
export interface ClaimCookies {
  /** Replaces a checked code on the next page. */
  readonly ticket?: string | undefined;
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

/** Names of the cookies in browsers, after their common prefix. */
const cookieNames = { ticket: 'right', retrieval: 'retrieval', taken: 'taken' } as const;
type Name = keyof typeof cookieNames;

const secretPattern = /^[A-Za-z0-9_-]{1,128}$/;
const retrievalPattern = /^([A-Za-z0-9_-]{1,128})\.([0-9]{10})$/;
const takenSeconds = 7 * 24 * 60 * 60;

// `__Secure-` instead of `__Host-`, which requires the path `/`: a cookie belongs to one link and is sent with no
// other.
function formatName(name: Name, { isSecure }: Pick<CookieScope, 'isSecure'>): string {
  return `${isSecure ? '__Secure-' : ''}rubrica-claim-${cookieNames[name]}`;
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

export function formatTicketCookie({ secret, expiresAt }: LinkTicket, place: CookieScope, now: Date): string {
  return formatCookie('ticket', place, { text: secret, seconds: secondsUntil(expiresAt, now) });
}

export function formatRetrievalCookie(
  { secret, expiresAt }: LinkTicket,
  place: CookieScope,
  now: Date,
): string {
  const until = Math.floor(expiresAt.getTime() / 1000);
  return formatCookie('retrieval', place, {
    text: `${secret}.${until}`,
    seconds: secondsUntil(expiresAt, now),
  });
}

export function formatExpiredCookie(name: 'ticket' | 'retrieval', place: CookieScope): string {
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
  const ticket = readValue('ticket');
  const [, secret, until] = retrievalPattern.exec(readValue('retrieval')) ?? [];
  return {
    ticket: secretPattern.test(ticket) ? ticket : undefined,
    retrieval:
      secret === undefined || until === undefined
        ? undefined
        : { secret, until: new Date(Number(until) * 1000) },
    taken: readValue('taken') === '1',
  };
}
