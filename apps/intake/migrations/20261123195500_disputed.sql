-- What operators are told of: the few requests whose applicant says that it was not them who asked.

create index request_disputed on request (error_at) where error_code = 'APPLICANT_DISPUTED';
