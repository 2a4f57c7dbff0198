import { useQuery } from '@tanstack/react-query';
import { createQuery } from '../../client/queries.ts';
import type { OperatorOutput } from '../../client/trpc.ts';
import { Badge } from '../../parts/badge.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Notice, QueryResult } from '../../parts/query-result.tsx';
import { useDates } from '../../texts/dates.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './authorities.module.css';

const texts = createBilingual({
  en: {
    title: 'Certification authorities',
    root: 'Root',
    issuing: 'Issuing authority',
    subject: 'Subject',
    serial: 'Serial number',
    ends: 'Ends',
    responder: 'OCSP responder ends',
    crl: 'CRL',
    crlOf: 'next due',
    noCrl: 'none yet',
    brought: 'from a ceremony',
    key: 'Key',
    elsewhere: 'taken away: only a ceremony can use it',
    here: 'at hand',
    soon: (what: string, time: string) => `${what} in ${time}: renew it before.`,
    gone: (what: string) => `${what}: it is over. Act now.`,
    pending: (names: string) => `Waits for the answer of a ceremony: ${names}.`,
  },
  es: {
    title: 'Autoridades de certificación',
    root: 'Raíz',
    issuing: 'Autoridad emisora',
    subject: 'Nombre (DN)',
    serial: 'Número de serie',
    ends: 'Termina',
    responder: 'Termina su OCSP',
    crl: 'CRL',
    crlOf: 'próxima',
    noCrl: 'todavía no hay',
    brought: 'de una ceremonia',
    key: 'Llave',
    elsewhere: 'fuera: solo una ceremonia la usa',
    here: 'disponible',
    soon: (what: string, time: string) => `${what} en ${time}: renueve antes.`,
    gone: (what: string) => `${what}: ya pasó. Actúe ahora.`,
    pending: (names: string) => `Esperan la respuesta de una ceremonia: ${names}.`,
  },
});

type Authority = OperatorOutput<'authorities.list'>['items'][number];

/** Lists root and issuing authorities with their expiring items. */
export function AuthorityList() {
  const t = useTexts(texts);
  const query = useQuery(createQuery('authorities.list', undefined));
  return (
    <Section title={t.title}>
      <QueryResult query={query}>
        {({ items, pending }) => (
          <>
            {pending.length > 0 && <Notice tone="warn">{t.pending(pending.join(', '))}</Notice>}
            <div className={styles.cards}>
              {items.map((authority) => (
                <AuthorityCard key={authority.name} authority={authority} />
              ))}
            </div>
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function AuthorityCard({ authority }: { readonly authority: Authority }) {
  const t = useTexts(texts);
  const { number } = useDates();
  const { name, kind, signs, keyIsElsewhere, crl, responderNotAfter } = authority;
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <h3>
          {t[kind]} · {name}
        </h3>
        {signs && <Badge code="ACTIVE" />}
      </div>
      <ExpiryWarnings authority={authority} />
      <Facts
        rows={[
          [t.subject, authority.subject],
          [t.serial, <code key="s">{authority.serialNumber}</code>],
          [t.ends, <Instant key="e" at={authority.notAfter} />],
          [t.responder, responderNotAfter && <Instant at={responderNotAfter} />],
          [
            t.crl,
            crl === null ? (
              t.noCrl
            ) : (
              <>
                {crl.number === null ? t.brought : number(crl.number)} · {t.crlOf}{' '}
                <Instant at={crl.nextUpdate} />
              </>
            ),
          ],
          [t.key, keyIsElsewhere ? t.elsewhere : t.here],
        ]}
      />
    </article>
  );
}

const dayMs = 86_400_000;

/** Warns about items that expire soon; the notice depends on the duration of their renewal. */
function ExpiryWarnings({ authority }: { readonly authority: Authority }) {
  const t = useTexts(texts);
  const { age } = useDates();
  const { notAfter, responderNotAfter, crl, keyIsElsewhere } = authority;
  const expiringItems = [
    { what: t.ends, at: notAfter, noticeDays: 180 },
    { what: t.responder, at: responderNotAfter, noticeDays: 7 },
    // A CRL that is signed here is renewed automatically, well before it expires.
    { what: t.crl, at: crl?.nextUpdate ?? null, noticeDays: keyIsElsewhere ? 30 : 0 },
  ];
  return expiringItems.map(({ what, at, noticeDays }) => {
    const left = at === null ? Number.POSITIVE_INFINITY : Date.parse(at) - Date.now();
    if (left > noticeDays * dayMs) return null;
    return (
      <Notice key={what} tone={left <= 0 ? 'bad' : 'warn'}>
        {left <= 0 ? t.gone(what) : t.soon(what, age(left))}
      </Notice>
    );
  });
}
