import { usePartnerName } from '../../client/partners.ts';
import { Badge } from '../../parts/badge.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { useActorNames } from '../../texts/actors.ts';
import { sortFieldNames, useFieldNames } from '../../texts/field-names.ts';
import { useLabels, useLabelTexts } from '../../texts/labels.ts';
import { useTexts } from '../../texts/texts.ts';
import styles from './case.module.css';
import type { Case } from './case.ts';
import { caseTexts } from './case-texts.ts';

/** Shows all data of a case except its documents. */
export function CaseData({ found }: { readonly found: Case }) {
  const t = useTexts(caseTexts);
  const getLabel = useLabels();
  const fieldName = useFieldNames();
  const partnerName = usePartnerName();
  const { applicant } = found;
  const formatValue = (name: string, value: string) =>
    name === 'documentType' ? getLabel(value).text : value;
  const details = applicant?.details ?? {};
  return (
    <div className={styles.data}>
      <Section title={t.applicant}>
        <Facts
          rows={[
            [fieldName('identificationNumber'), found.identificationNumber],
            ...sortFieldNames(Object.keys(details)).map(
              (name) => [fieldName(name), formatValue(name, String(details[name]))] as const,
            ),
          ]}
        />
        {applicant === null && <p>{t.hidden}</p>}
      </Section>
      <Section title={t.request}>
        <Facts
          rows={[
            [t.partner, partnerName(found.partnerId)],
            [t.family, getLabel(found.family).text],
            [t.certificateType, applicant && getLabel(applicant.certificateType).text],
            [t.applicationType, applicant && getLabel(applicant.applicationType).text],
            [t.period, applicant && getLabel(applicant.period).text],
            [t.policy, getLabel(found.reviewPolicy).text],
            [t.reason, getLabel(found.reviewReason).text],
            [t.waiting, <Instant key="at" at={found.waitingSince} />],
            [t.approvals, `${found.approvals} / ${found.approvalsNeeded}`],
            [t.assigned, found.assignedTo ?? t.nobody],
          ]}
        />
      </Section>
      <Approvals found={found} />
      {found.observations.length > 0 && (
        <Section title={t.registry}>
          <ul className={styles.log}>
            {found.observations.map(({ code, message, createdDate }) => (
              <li key={`${code} ${createdDate}`} className={styles.entry}>
                <span className={styles.entryHead}>
                  <strong>{getLabel(code).text}</strong>
                  <Instant at={createdDate} />
                </span>
                {message !== getLabel(code).text && <span>{message}</span>}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <History found={found} />
    </div>
  );
}

function Approvals({ found }: { readonly found: Case }) {
  const t = useTexts(caseTexts);
  return (
    <Section title={t.decisions}>
      {found.approvalLog.length === 0 && <p>{t.noDecisions}</p>}
      <ul className={styles.log}>
        {found.approvalLog.map(({ operator, at, comment, counts, validationAttempt }) => (
          <li key={`${operator} ${at}`} className={styles.entry} data-void={counts ? undefined : ''}>
            <span className={styles.entryHead}>
              <strong>{operator}</strong>
              <Instant at={at} />
            </span>
            {comment !== null && <span>{comment}</span>}
            {!counts && (
              <span>
                {t.attempt(String(validationAttempt))}: {t.void}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function History({ found }: { readonly found: Case }) {
  const t = useTexts(caseTexts);
  const getLabelText = useLabelTexts();
  const formatActor = useActorNames();
  return (
    <Section title={t.history}>
      <ol className={styles.log}>
        {found.timeline.toReversed().map(({ at, kind, status, code, actor, reason }) => (
          <li key={`${at} ${kind}`} className={styles.entry}>
            <span className={styles.entryHead}>
              <span>
                {getLabelText(kind)} {status !== null && <Badge code={status} />}{' '}
                {code !== null && <Badge code={code} />}
              </span>
              <Instant at={at} />
            </span>
            <span>{[formatActor(actor), reason].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
