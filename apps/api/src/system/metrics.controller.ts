import { Controller, Get, Header, Inject, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Shows } from '../http/described';
import { NoQuery } from '../shapes/shared.dto';
import { Metrics } from './metrics';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

@ApiTags('health')
@Controller('metrics')
export class MetricsController {
  constructor(@Inject(Metrics) private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', METRICS_TYPE)
  @Shows({ summary: 'Figures for Prometheus: alarms, duties, views, requests', query: NoQuery }, 'text/plain')
  figures(@Query() _query: NoQuery): Promise<string> {
    return this.metrics.text();
  }
}
