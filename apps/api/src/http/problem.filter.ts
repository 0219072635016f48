import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemOf } from './problem-of';
import { PROBLEMS, problemType, type Problem } from './problems';

/** Answers every error, ours and Fastify's, as problem+json (RFC 9457). Nothing of an unforeseen one gets out. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('api');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const problem = problemOf(error);
    if (problem.status >= 500 && problem.code === 'internal-error') {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.logger.error(`${request.method} ${pathOf(request.url)} (${request.id}) failed: ${stack}`);
    }
    sendProblem(http.getResponse<FastifyReply>(), request, problem);
  }
}

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;

export function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: Problem): void {
  // A client that went away, or an answer that began, leaves nothing to say.
  if (reply.sent) return;
  const { code, status } = problem;
  const { retryAfter } = PROBLEMS[code];
  if (status === 401 && !reply.hasHeader('www-authenticate')) void reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
  void reply
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify({ ...problemJson(problem), instance: pathOf(request.url), requestId: request.id }));
}

/** What is told of a problem wherever it stands. */
export function problemJson({ code, status, detail, errors, details }: Problem): object {
  const { title } = PROBLEMS[code];
  return {
    ...details,
    ...{ type: problemType(code), title, status, detail },
    ...(errors.length > 0 && { errors }),
  };
}
