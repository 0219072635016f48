import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { AuditController } from './audit/audit.controller';
import { ChecksController } from './checks/checks.controller';
import { DutiesController } from './duties/duties.controller';
import { DutyDecisionsController } from './duties/duty-decisions.controller';
import { DutyLinksController } from './duties/duty-links.controller';
import { StaleController } from './stale/stale.controller';
import { ProblemFilter } from './http/problem.filter';
import { LedgersController } from './ledgers/ledgers.controller';
import { LoadsController } from './loads/loads.controller';
import { ApplicationsController } from './permits/applications.controller';
import { PermitDecisionsController } from './permits/permit-decisions.controller';
import { PermitsController } from './permits/permits.controller';
import { ManifestsController } from './manifests/manifests.controller';
import { JurisdictionsController } from './packs/jurisdictions.controller';
import { PacksController } from './packs/packs.controller';
import { PROGRAM, type Program } from './program';
import { SandboxController } from './sandbox/sandbox.controller';
import { ShapePipe } from './shapes/shape.pipe';
import { SubjectsController } from './subjects/subjects.controller';
import { HealthController } from './system/health.controller';
import { Metrics } from './system/metrics';
import { MetricsController } from './system/metrics.controller';
import { ViolationsController } from './violations/violations.controller';

/** In the order in which /docs shows them. */
const CONTROLLERS: readonly Type[] = [
  ChecksController,
  ApplicationsController,
  PermitsController,
  PermitDecisionsController,
  ManifestsController,
  LoadsController,
  SubjectsController,
  ViolationsController,
  DutiesController,
  DutyDecisionsController,
  DutyLinksController,
  StaleController,
  LedgersController,
  AuditController,
  PacksController,
  JurisdictionsController,
  HealthController,
  MetricsController,
];

@Module({})
export class AppModule {
  static of(program: Program): DynamicModule {
    const sandbox = program.config.clock === 'virtual' ? [SandboxController] : [];
    return {
      module: AppModule,
      controllers: [...CONTROLLERS, ...sandbox],
      providers: [
        { provide: PROGRAM, useValue: program },
        { provide: Metrics, useValue: new Metrics(program) },
        { provide: APP_PIPE, useClass: ShapePipe },
        { provide: APP_FILTER, useClass: ProblemFilter },
      ],
    };
  }
}
