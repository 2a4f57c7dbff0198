import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { createQuery } from '../../client/queries.ts';
import { Action } from '../../parts/action.tsx';
import { useAddress } from '../../parts/address.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Empty, Notice, QueryResult } from '../../parts/query-result.tsx';
import { useLabelTexts } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './holdings.module.css';
import { StoredRequestData } from './stored-data.tsx';

const texts = createBilingual({
  en: {
    title: 'Data of an applicant',
    about:
      'For questions of applicants and of the data protection authority: what every service holds, and until when.',
    identification: 'Identification number',
    show: 'Show',
    open: 'Open the request',
    nothing: 'Nothing is held under this number',
    nothingText: 'Check the number, or say so to who asked.',
    erase: 'Erase all that may be erased',
    eraseText: 'Of all requests of this applicant, as far as the law lets it go. It cannot be brought back.',
    eraseDone: (count: number) => `Erasure of ${count} requests was looked at; the list says what stayed.`,
    incomplete: 'There are more requests than are shown here.',
    unanswered: (services: string) => `Did not answer: ${services}. What they hold is missing here.`,
  },
  es: {
    title: 'Datos de un solicitante',
    about:
      'Para consultas de solicitantes y de la autoridad de protección de datos: lo que conserva cada servicio y hasta cuándo.',
    identification: 'Número de identificación',
    show: 'Mostrar',
    open: 'Abrir la solicitud',
    nothing: 'No se conserva nada con este número',
    nothingText: 'Revise el número, o informe así a quien consultó.',
    erase: 'Borrar todo lo que se pueda',
    eraseText:
      'De todas las solicitudes de este solicitante, hasta donde la ley lo permite. No hay vuelta atrás.',
    eraseDone: (count: number) => `Se revisaron ${count} solicitudes; la lista muestra lo que queda.`,
    incomplete: 'Hay más solicitudes de las que se muestran.',
    unanswered: (services: string) => `Sin respuesta de: ${services}. Falta lo que conservan.`,
  },
});

export default function HoldingsPage() {
  const t = useTexts(texts);
  const [{ identificationNumber }, change] = useAddress();
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = new FormData(event.currentTarget).get('identificationNumber');
    change({ identificationNumber: String(entered).trim() });
  };
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={identificationNumber && <EraseAll identificationNumber={identificationNumber} />}
    >
      <search key={identificationNumber}>
        <form className={styles.form} onSubmit={onSubmit}>
          <TextField
            label={t.identification}
            name="identificationNumber"
            maxLength={20}
            required
            defaultValue={identificationNumber}
          />
          <Button type="submit" tone="primary">
            {t.show}
          </Button>
        </form>
      </search>
      {identificationNumber && <Holdings identificationNumber={identificationNumber} />}
    </Page>
  );
}

function EraseAll({ identificationNumber }: { readonly identificationNumber: string }) {
  const t = useTexts(texts);
  return (
    <Action
      procedure="requests.erase"
      label={t.erase}
      text={t.eraseText}
      tone="danger"
      reason="required"
      toInput={(form) => ({ identificationNumber, reason: String(form.get('reason')) })}
      done={({ requests }) => t.eraseDone(requests.length)}
    />
  );
}

function Holdings({ identificationNumber }: { readonly identificationNumber: string }) {
  const t = useTexts(texts);
  const getLabelText = useLabelTexts();
  const query = useQuery(createQuery('requests.holdings', { identificationNumber }));
  return (
    <QueryResult query={query}>
      {({ requests, isComplete, unanswered }) => (
        <>
          {unanswered.length > 0 && (
            <Notice tone="warn">{t.unanswered(unanswered.map(getLabelText).join(', '))}</Notice>
          )}
          {!isComplete && <Notice tone="warn">{t.incomplete}</Notice>}
          {requests.length === 0 && (
            <Empty title={t.nothing}>
              <p>{t.nothingText}</p>
            </Empty>
          )}
          {requests.map((held) => (
            <Section
              key={held.requestId}
              title={held.referenceTransaction}
              actions={
                <div className={styles.actions}>
                  <Badge code={held.status} />
                  <Link to={`/requests/${held.requestId}`}>{t.open}</Link>
                </div>
              }
            >
              <StoredRequestData held={held} />
            </Section>
          ))}
        </>
      )}
    </QueryResult>
  );
}
