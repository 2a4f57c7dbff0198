import type { LinkRight } from './link-flow.ts';
import type { LinkName } from './types.ts';

/** What the browser of an applicant keeps for one link. */
export interface ClaimCookies {
  /** Stands for a checked code: the next page takes it in its place. */
  readonly right?: string | undefined;
  /** Of the browser that claimed: downloads without another code. */
  readonly retrieval?: { readonly secret: string; readonly until: Date } | undefined;
  /** The file was downloaded here: the page says what to do with it. */
  readonly taken: boolean;
}

/** Whose cookie it is. `isSecure`: browsers see this service under https. */
export interface CookiePlace {
  readonly link: LinkName;
  readonly token: string;
  readonly isSecure: boolean;
}

type Name = 'right' | 'retrieval' | 'taken';

const secretShape = /^[A-Za-z0-9_-]{1,128}$/;
const retrievalShape = /^([A-Za-z0-9_-]{1,128})\.([0-9]{10})$/;
const takenSeconds = 7 * 24 * 60 * 60;

// `__Secure-` and not `__Host-`, which wants the path `/`: a cookie belongs to one link and is sent with no other.
function nameOf(name: Name, { isSecure }: Pick<CookiePlace, 'isSecure'>): string {
  return `${isSecure ? '__Secure-' : ''}rubrica-claim-${name}`;
}

function attributesOf({ link, token, isSecure }: CookiePlace): string {
  return `Path=/${link}/${token}; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

function cookie(name: Name, place: CookiePlace, value: { text: string; seconds: number }): string {
  const life = Math.max(0, Math.floor(value.seconds));
  return `${nameOf(name, place)}=${value.text}; Max-Age=${life}; ${attributesOf(place)}; HttpOnly`;
}

function secondsUntil(at: Date, now: Date): number {
  return (at.getTime() - now.getTime()) / 1000;
}

export function rightCookie(right: LinkRight, place: CookiePlace, now: Date): string {
  return cookie('right', place, { text: right.secret, seconds: secondsUntil(right.expiresAt, now) });
}

export function retrievalCookie(right: LinkRight, place: CookiePlace, now: Date): string {
  const { secret, expiresAt } = right;
  const until = Math.floor(expiresAt.getTime() / 1000);
  return cookie('retrieval', place, { text: `${secret}.${until}`, seconds: secondsUntil(expiresAt, now) });
}

export function endedCookie(name: 'right' | 'retrieval', place: CookiePlace): string {
  return cookie(name, place, { text: '', seconds: 0 });
}

/** No secret: the page's script waits for it to know that the download has come. */
export function takenCookie(place: CookiePlace): string {
  return `${nameOf('taken', place)}=1; Max-Age=${takenSeconds}; ${attributesOf(place)}`;
}

/** What a browser has brought; what has another form is as if it were not there. */
export function readClaimCookies(
  header: string | undefined,
  place: Pick<CookiePlace, 'isSecure'>,
): ClaimCookies {
  const textOf = (name: Name) => {
    const begin = `${nameOf(name, place)}=`;
    const pair = (header ?? '')
      .split(';')
      .map((one) => one.trim())
      .find((one) => one.startsWith(begin));
    return pair?.slice(begin.length) ?? '';
  };
  const right = textOf('right');
  const [, secret, until] = retrievalShape.exec(textOf('retrieval')) ?? [];
  return {
    right: secretShape.test(right) ? right : undefined,
    retrieval:
      secret === undefined || until === undefined
        ? undefined
        : { secret, until: new Date(Number(until) * 1000) },
    taken: textOf('taken') === '1',
  };
}
