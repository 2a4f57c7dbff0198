import type { OperatorOutput } from '../../client/trpc.ts';
import { Notice } from '../../parts/query-result.tsx';
import { useLabels } from '../../texts/labels.ts';
import { createBilingual, useTexts } from '../../texts/texts.ts';
import styles from './overview.module.css';

type WarningsProps = Pick<OperatorOutput<'overview'>, 'warnings' | 'faultyEvidence' | 'isSandbox'>;

const texts = createBilingual({
  en: {
    NO_ACTIVE_TERMS: (of: string) =>
      `${of}: no terms are in force, so nobody can claim a certificate of this type. Create a version and put it in force.`,
    SERVICE_UNAVAILABLE: (of: string) => `The service ${of} does not answer.`,
    ROW_NOT_AUTHENTIC: (of: string) =>
      `${of} was changed in the database, and not by its service. It counts as disabled: find out who could, and put it back.`,
    ONE_ADMINISTRATOR: () =>
      'There are fewer than two enabled administrators: what takes two is refused. Invite another one.',
    APPLICANT_DISPUTED: (of: string) =>
      `The person who got the link of request ${of} says that they did not ask for a certificate. Find out who used their data.`,
    DUAL_CONTROL_OFF: () =>
      'By the settings one administrator alone may loosen rules. Set DUAL_CONTROL to required.',
    FILES_NOT_ISOLATED: () =>
      'Files are checked without network isolation: a fault in a decoder reaches the keys of intake. Run the file checker for itself and set FILE_CHECKER_ADDRESS, or allow user namespaces.',
    SANDBOX: () =>
      'This is a sandbox: registries and proofs of life are answered by the program itself, and a password alone opens a session. Its certificates are worth nothing.',
    EVIDENCE_FAULTY: (of: string) =>
      `Evidence of request ${of} is missing or damaged. Find out who or what could change it, and have it put back from a backup.`,
  },
  es: {
    NO_ACTIVE_TERMS: (of: string) =>
      `${of}: no hay términos vigentes y nadie puede retirar un certificado de este tipo. Cree una versión y póngala en vigencia.`,
    SERVICE_UNAVAILABLE: (of: string) => `El servicio ${of} no responde.`,
    ROW_NOT_AUTHENTIC: (of: string) =>
      `${of} fue cambiado en la base de datos, y no por su servicio. Cuenta como deshabilitado: averigüe quién pudo y repóngalo.`,
    ONE_ADMINISTRATOR: () =>
      'Hay menos de dos administradores habilitados: se rechaza lo que requiere dos. Invite a otro.',
    APPLICANT_DISPUTED: (of: string) =>
      `Quien recibió el enlace de la solicitud ${of} indica que no pidió un certificado. Averigüe quién usó sus datos.`,
    DUAL_CONTROL_OFF: () =>
      'Según los ajustes un solo administrador puede aflojar reglas. Ponga DUAL_CONTROL en required.',
    FILES_NOT_ISOLATED: () =>
      'Los archivos se revisan sin aislamiento de red: un fallo de un decodificador alcanza las claves de intake. Ejecute aparte el revisor de archivos e indique FILE_CHECKER_ADDRESS, o permita espacios de nombres de usuario.',
    SANDBOX: () =>
      'Este es un sandbox: el propio programa responde por los registros y las pruebas de vida, y la contraseña sola abre una sesión. Sus certificados no valen nada.',
    EVIDENCE_FAULTY: (of: string) =>
      `Faltan evidencias de la solicitud ${of}, o están dañadas. Averigüe quién o qué pudo cambiarlas y haga que se repongan de una copia de seguridad.`,
  },
});

/** Shows problems that stop the service until an administrator solves them. */
export function Warnings({ warnings, faultyEvidence, isSandbox }: WarningsProps) {
  const t = useTexts(texts);
  const getLabel = useLabels();
  if (warnings.length + faultyEvidence.length === 0 && !isSandbox) return null;
  return (
    <div className={styles.warnings}>
      {isSandbox && <Notice tone="warn">{t.SANDBOX()}</Notice>}
      {warnings.map(({ code, subject, message }) => {
        const text = Object.hasOwn(t, code) ? t[code](getLabel(subject).text) : message;
        return (
          <Notice key={`${code} ${subject}`} tone="warn">
            {text}
          </Notice>
        );
      })}
      {[...new Set(faultyEvidence.map(({ requestId }) => requestId))].map((requestId) => (
        <Notice key={`EVIDENCE_FAULTY ${requestId}`} tone="warn">
          {t.EVIDENCE_FAULTY(requestId)}
        </Notice>
      ))}
    </div>
  );
}
