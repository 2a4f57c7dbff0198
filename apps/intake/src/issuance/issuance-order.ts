import type { intakeContract } from '@rubrica/contracts';
import type { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import { requestNotFound, stateNotAllowed } from '../errors.ts';
import { PartnerEntity } from '../partner/partner.entity.ts';
import { parseAppointmentEnd } from '../register-request/date-input.ts';
import { type Details, RequestEntity } from '../request/request.entity.ts';

const text = (details: Details, name: string): string | null => {
  const value = details[name];
  return typeof value === 'string' ? value : null;
};

const surnameOf = (details: Details): string =>
  [text(details, 'applicantLastName'), text(details, 'applicantSecondLastName')].filter(Boolean).join(' ');

/**
 * What generation needs for one certificate. Given out for the attempt in hand only: a job that was overtaken
 * by a retry gets no data to issue from.
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_STATE_NOT_ALLOWED
 */
export const createIssuanceOrder =
  ({ database, timeZone }: Pick<Dependencies, 'database' | 'timeZone'>) =>
  async (
    input: z.output<typeof intakeContract.issuanceOrderInput>,
  ): Promise<intakeContract.IssuanceOrder> => {
    const em = database.fork();
    const request = await em.findOne(
      RequestEntity,
      { id: input.requestId },
      { populate: ['sealedPassword'] },
    );
    if (!request) throw requestNotFound();
    if (request.status !== 'GENERATING' || request.generationAttempt !== input.attempt)
      throw stateNotAllowed(request.status);
    const partner = await em.findOneOrFail(PartnerEntity, { id: request.partnerId });
    const { details } = request;
    const appointment = text(details, 'expirationDateAppointment');
    return {
      requestId: request.id,
      attempt: input.attempt,
      applicationType: request.applicationType,
      certificateType: request.certificateType,
      period: request.period,
      subject: {
        identificationNumber: request.identificationNumber,
        givenName: text(details, 'applicantName') ?? '',
        surname: surnameOf(details),
        email: text(details, 'email'),
        city: text(details, 'city') ?? '',
        countryCode: 'EC',
        companyRuc: text(details, 'companyRuc'),
        companySocialReason: text(details, 'companySocialReason'),
        positionCompany: text(details, 'positionCompany'),
      },
      appointmentExpiresAt:
        (appointment && parseAppointmentEnd(appointment, timeZone)?.toISOString()) || null,
      sealedPassword: request.sealedPassword,
      passwordOrigin: request.passwordOrigin,
      legacyPkcs12: partner.legacyPkcs12,
    };
  };
