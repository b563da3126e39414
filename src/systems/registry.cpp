#include "systems/system.h"
