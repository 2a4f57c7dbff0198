export { AppError, type AppErrorOptions, isErrorCode } from './app-error.ts';
export { errorDetail, fieldFault, invalidField } from './error-detail.ts';
export { isClientError, toAppError } from './to-app-error.ts';
