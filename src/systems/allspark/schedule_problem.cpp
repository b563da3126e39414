#include "systems/allspark/schedule_problem.h"
